#include "server/pipeline/awaited_job.h"

#include <utility>

namespace slice {

bool LacksVersion(const LinkJob& job) {
  return job.request().min_graph_version() >
         job.graph().graph().graph_version();
}

absl::Status WhenVersionIsThere(LinkJob* job, AwaitedVersions::Ready ready) {
  return job->model().WhenGraphHas(
      {.version = job->request().min_graph_version(),
       .deadline = job->order().deadline,
       .cancelled = [job] { return job->cancelled(); },
       .ready =
           [job, ready = std::move(ready)](const absl::Status& status) {
             if (status.ok()) job->graph().Renew(job->model().Graph());
             ready(status);
           },
       .host = job->work().client.host});
}

}  // namespace slice
