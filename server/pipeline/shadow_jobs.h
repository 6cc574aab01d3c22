// Lets shadow candidates score what other versions have answered
// (server/models/model_source.h).
#ifndef SLICE_SERVER_PIPELINE_SHADOW_JOBS_H_
#define SLICE_SERVER_PIPELINE_SHADOW_JOBS_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/access/account.h"
#include "server/models/model_registry.h"
#include "server/pipeline/link_job.h"
#include "server/server_metrics.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// By what a request of this account is chosen for a trial.
TrialKeys TrialKeysOf(const Account& account,
                      const v1::PredictLinksRequest& request);

// Thread-safe.
class ShadowJobs {
 public:
  // `start` puts a job into the pipeline. All must outlive the object.
  ShadowJobs(const ModelRegistry* registry, ServerMetrics* metrics,
             const Clock* clock, std::function<absl::Status(LinkJob*)> start)
      : registry_(registry),
        metrics_(metrics),
        clock_(clock),
        start_(std::move(start)) {}

  // Starts a job by the shadow candidate of the model of `answered`, if there
  // is one and it is tried on this request. The job is bulk work of a client of
  // its own, is charged to nobody, and is dropped when the server has no room.
  // REQUIRES: the links of `answered` have ended, and nobody has replied yet.
  void Start(const LinkJob& answered);

 private:
  const ModelRegistry* const registry_;
  ServerMetrics* const metrics_;
  const Clock* const clock_;
  const std::function<absl::Status(LinkJob*)> start_;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_SHADOW_JOBS_H_
