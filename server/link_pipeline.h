// The way of a link through the server: admission, context workers, batching,
// model executors, responder.
#ifndef SLICE_SERVER_LINK_PIPELINE_H_
#define SLICE_SERVER_LINK_PIPELINE_H_

#include <memory>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/admission.h"
#include "server/batch_scheduler.h"
#include "server/link_job.h"
#include "server/metrics.h"
#include "server/model_executor.h"
#include "server/server_options.h"
#include "server/task_queue.h"

namespace slice {

// Thread-safe. The item (one link) is the unit: the items of a job may ride in
// different batches, and the last one to end triggers the reply.
class LinkPipeline {
 public:
  // `metrics` and `clock` must outlive the pipeline.
  LinkPipeline(const ServerOptions& options, ServerMetrics* metrics,
               const Clock* clock);
  // Closes.
  ~LinkPipeline();

  // Takes the job in; never blocks. When OK the job's Reply will be called
  // exactly once and the job must live until then; otherwise it was not
  // touched. RESOURCE_EXHAUSTED with a RetryInfo when the server is full;
  // UNAVAILABLE after StartDraining.
  absl::Status Start(LinkJob* job);

  // Refuses further jobs; those taken in go on.
  void StartDraining();

  // Ends all jobs that were taken in and joins the threads. Idempotent.
  void Close();

  // Links inside, predicted time to work them off, age of the oldest link that
  // waits for the model.
  size_t queue_items() const { return admission_.items(); }
  absl::Duration PredictedWait() const { return admission_.PredictedWait(); }
  absl::Duration OldestAge() const { return scheduler_.OldestAge(); }

 private:
  // Runs on a context worker: resolves and encodes one link.
  void PrepareItem(LinkJob* job, size_t index);
  absl::Status Encode(LinkJob* job, size_t index, absl::Time start,
                      EncodedLink& encoded);
  void EndItem(LinkJob* job, size_t index, absl::Status status);
  void CountItem(const LinkItem& item);
  void Respond(LinkJob* job);

  const ServerOptions options_;
  ServerMetrics* const metrics_;
  const Clock* const clock_;

  Admission admission_;
  BatchScheduler scheduler_;
  std::unique_ptr<TaskQueue> responder_;
  std::unique_ptr<ModelExecutor> executor_;
  std::unique_ptr<TaskQueue> context_workers_;
};

}  // namespace slice

#endif  // SLICE_SERVER_LINK_PIPELINE_H_
