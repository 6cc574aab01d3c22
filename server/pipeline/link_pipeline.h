// The way of a link through the server: admission, context workers, batching,
// model executors, responder.
#ifndef SLICE_SERVER_PIPELINE_LINK_PIPELINE_H_
#define SLICE_SERVER_PIPELINE_LINK_PIPELINE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/pipeline/encoded_link_pool.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/model_executor.h"
#include "server/pipeline/result_cache.h"
#include "server/pipeline/shed_log.h"
#include "server/pipeline/unread_answers.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/batch_scheduler.h"
#include "server/scheduling/schedule_observer.h"
#include "server/scheduling/schedule_recorder.h"
#include "server/scheduling/worker_threads.h"
#include "server/server_metrics.h"
#include "server/server_options.h"

namespace slice {

// Thread-safe. The item (one link) is the unit: the items of a job may ride in
// different batches, and the last one to end triggers the reply.
class LinkPipeline {
 public:
  // `metrics`, `clock` and `observer`, which may be null, must outlive the
  // pipeline.
  LinkPipeline(const ServerOptions& options, ServerMetrics* metrics,
               const Clock* clock, ScheduleObserver* observer = nullptr);
  // Closes.
  ~LinkPipeline();

  // Takes the job in; never blocks. When OK the job's Reply will be called
  // exactly once and the job must live until then; otherwise it was not
  // touched. RESOURCE_EXHAUSTED with a RetryInfo when the server is full or the
  // job's turn would come after its deadline; UNAVAILABLE after StartDraining.
  absl::Status Start(LinkJob* job);

  // What Start would say to at least this much work from this client, before a
  // job of it is made. Counts what it refuses.
  absl::Status CheckRoom(const RequestedWork& work, absl::Time deadline);

  // As Start. A link that would wait for nobody is scored and answered by the
  // calling thread instead, before this returns: waking three others would take
  // longer. REQUIRES: Close is not called meanwhile.
  absl::Status StartOrRun(LinkJob* job);

  // Counts the answers that wait for their readers as well.
  UnreadAnswers& answers() { return answers_; }

  // Refuses further jobs; those taken in go on.
  void StartDraining();

  // Ends all jobs that were taken in and joins the threads. Idempotent.
  void Close();

  const Admission& admission() const { return admission_; }
  // Links that wait for a context and for the model.
  QueueState ContextQueue() const { return contexts_.State(); }
  QueueState ModelQueue() const { return scheduler_.State(); }
  const ShedLog& shed_log() const { return shed_log_; }
  const ResultCache& results() const { return results_; }

 private:
  absl::Status Admit(LinkJob* job);
  absl::Status Refuse(const RequestedWork& work, const ServiceOrder& order,
                      AdmissionResult result);
  absl::Status Schedule(LinkJob* job);
  bool WaitsForNobody(const LinkJob& job) const;
  void Run(LinkJob* job);
  // What a context worker does: resolves and encodes links, a few at a time.
  void RunContextWorker(WorkLane lane);
  void PrepareItems(const WorkBatch& batch);
  // True when the link is known and has no answer yet; else the item has
  // ended.
  bool Identify(LinkItem& item, absl::Time start);
  absl::Status Resolve(LinkItem& item, absl::Time start);
  // Fills the item with an answer given before; false when there is none.
  bool TakeAnswer(LinkItem& item);
  // Makes the item ready for the model; began at `start`.
  void Encode(LinkItem& item, absl::Time start);
  void EndItem(LinkItem& item, absl::Status status);
  // What a responder does: builds and sends replies, clients in turns.
  void RunResponder(WorkLane lane);
  void Respond(LinkJob* job);

  const int context_worker_count_;
  ServerMetrics* const metrics_;
  const Clock* const clock_;
  ScheduleObserver* const observer_;

  ShedLog shed_log_;
  Admission admission_;
  UnreadAnswers answers_;
  ResultCache results_;
  EncodedLinkPool encoded_;
  BatchScheduler contexts_;   // what waits for a context
  BatchScheduler scheduler_;  // what waits for the model
  BatchScheduler replies_;    // last items of jobs that want their reply
  std::unique_ptr<WorkerThreads> responders_;
  std::unique_ptr<ModelExecutor> executor_;
  std::unique_ptr<WorkerThreads> context_workers_;
};

// What a pipeline with these options decides by.
ScheduleLimits ScheduleLimitsOf(const ServerOptions& options);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_PIPELINE_H_
