#include "server/pipeline/awaited_job.h"

#include <utility>

#include "server/pipeline/version_waits.h"

namespace slice {

bool LacksVersion(const LinkJob& job) {
  return job.request().min_graph_version() >
         job.graph().graph().graph_version();
}

absl::Status StartLater(LinkPipeline* pipeline, LinkJob* job,
                        std::function<void(const absl::Status&)> refuse) {
  return pipeline->waits().Add(
      job->model(), job->work(),
      {.version = job->request().min_graph_version(),
       .deadline = job->deadline(),
       .cancelled = [job] { return job->cancelled(); },
       .ready =
           [pipeline, job, refuse = std::move(refuse)](absl::Status status) {
             if (status.ok()) {
               job->graph().Renew(job->model().Graph());
               status = pipeline->Start(job);
             }
             if (!status.ok()) refuse(status);
           },
       .host = job->work().client.host});
}

}  // namespace slice
