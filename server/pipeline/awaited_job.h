// Jobs that ask for a version of the graph which is not there yet.
#ifndef SLICE_SERVER_PIPELINE_AWAITED_JOB_H_
#define SLICE_SERVER_PIPELINE_AWAITED_JOB_H_

#include <functional>

#include "absl/status/status.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/link_pipeline.h"

namespace slice {

// Whether the job's graph lacks the version that its request asks for.
bool LacksVersion(const LinkJob& job);

// Starts the job with that version of the graph, or a later one, once it is
// there. What ends the wait instead (VersionWaits), and what
// LinkPipeline::Start returns then, goes to `refuse`: the job is not used any
// more. When this returns an error of VersionWaits::Add, `refuse` is not
// called. The job must live until then, and must not be started before.
absl::Status StartLater(LinkPipeline* pipeline, LinkJob* job,
                        std::function<void(const absl::Status&)> refuse);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_AWAITED_JOB_H_
