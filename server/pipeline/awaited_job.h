// Jobs that ask for a version of the graph which is not there yet.
#ifndef SLICE_SERVER_PIPELINE_AWAITED_JOB_H_
#define SLICE_SERVER_PIPELINE_AWAITED_JOB_H_

#include "absl/status/status.h"
#include "server/graph/awaited_versions.h"
#include "server/pipeline/link_job.h"

namespace slice {

// Whether the job's graph lacks the version that its request asks for.
bool LacksVersion(const LinkJob& job);

// Gives the job that version, or a later one, and calls `ready` with OK; or
// calls it with what came first, as LiveGraph::WhenVisible does. The job must
// live until then, and must not be started before.
absl::Status WhenVersionIsThere(LinkJob* job, AwaitedVersions::Ready ready);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_AWAITED_JOB_H_
