// How a link passes through the server, from stage to stage:
//
//   Start -> admission -> context queue -> context workers (names to ids,
//   cache, context) -> model queue -> model executors -> reply queue ->
//   responders
#ifndef SLICE_SERVER_PIPELINE_LINK_PIPELINE_H_
#define SLICE_SERVER_PIPELINE_LINK_PIPELINE_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/access/quotas.h"
#include "server/pipeline/encoded_link_pool.h"
#include "server/pipeline/link_admission.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/link_queue.h"
#include "server/pipeline/model_executor.h"
#include "server/pipeline/result_cache.h"
#include "server/pipeline/shadow_jobs.h"
#include "server/pipeline/version_waits.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/schedule_observer.h"
#include "server/scheduling/schedule_recorder.h"
#include "server/scheduling/worker_threads.h"
#include "server/server_metrics.h"
#include "server/server_options.h"
#include "server/transport/unread_answers.h"

namespace slice {

// Thread-safe. The unit is the item, one link: the items of a job may be in
// different batches, and the last item to end triggers the reply of the job.
class LinkPipeline {
 public:
  // `quotas`, `metrics`, `clock` and `observer`, which may be null, must
  // outlive the pipeline.
  LinkPipeline(const ServerOptions& options, Quotas* quotas,
               ServerMetrics* metrics, const Clock* clock,
               ScheduleObserver* observer = nullptr);
  // Calls Close.
  ~LinkPipeline();

  // Takes the job in; never blocks. When this returns OK, the pipeline will
  // call the job's Reply exactly once, and the job must live until then.
  // Otherwise the job is not used any more. RESOURCE_EXHAUSTED with a RetryInfo
  // when the server is full, the job's turn would come after its deadline, or
  // its account has used up its quota; UNAVAILABLE after StartDraining.
  absl::Status Start(LinkJob* job);

  // Returns the error that Start would return for this work, so that a caller
  // need not make a job that will be refused. Counts the work as refused if so.
  absl::Status CheckRoom(const RequestedWork& work, const JobOrigin& origin) {
    return link_admission_.Check(work, origin);
  }

  // As Start. But when a single link comes and nothing else is in the server
  // (CanRunInline), the calling thread scores and answers it before this
  // returns, because waking three other threads would take longer. REQUIRES:
  // Close is not called meanwhile.
  absl::Status StartOrRun(LinkJob* job);

  // From now on, what is answered is also scored by shadow candidates.
  // `registry` must outlive the pipeline. REQUIRES: no job was started yet.
  void TryShadowsOf(const ModelRegistry* registry);

  // Makes the graph that a call asks about, and charges the caller for the
  // search of similar names and for the memory; see AskedGraph::Make.
  // RESOURCE_EXHAUSTED with a RetryInfo when there is no room for the graph.
  // Admission::Release must follow, for AskedGraph::bytes.
  absl::Status MakeGraph(const CallOrigin& caller, AskedGraph& graph);

  // Calls that wait for a version of the graph.
  VersionWaits& waits() { return waits_; }
  // Counts the answers that wait for their readers.
  UnreadAnswers& answers() { return answers_; }

  // Refuses further jobs, and those that wait for a version of the graph; the
  // jobs inside go on.
  void StartDraining();

  // Finishes the jobs inside and joins the threads. Idempotent.
  void Close();

  const Admission& admission() const { return admission_; }
  Admission& admission() { return admission_; }
  // As Admission::SetLimits.
  void SetLimits(size_t max_items, size_t max_bytes) {
    admission_.SetLimits(max_items, max_bytes);
  }
  // The links that wait for a context worker and for the model.
  QueueState ContextQueue() const { return context_queue_.State(); }
  QueueState ModelQueue() const { return model_queue_.State(); }
  const ShedLog& shed_log() const { return link_admission_.shed_log(); }
  const ResultCache& results() const { return results_; }

 private:
  absl::Status Schedule(LinkJob* job);
  // Whether the job is one interactive link, what-if or not, nothing else is
  // inside the server, and any thread can run its model.
  bool CanRunInline(const LinkJob& job) const;
  void RunInline(LinkJob* job);
  // The loop of a context worker.
  void RunContextWorker(WorkLane lane);
  // Prepares a few links for the model and schedules them.
  void PrepareItems(const LinkBatch& batch);
  // Finds the ids and the cached answer of the link. True when the link must be
  // scored; otherwise the item has ended.
  bool ResolveOrEnd(LinkItem& item, absl::Time start);
  absl::Status Resolve(LinkItem& item, absl::Time start);
  // Fills the item from the result cache; false when it holds no answer.
  bool FillFromCache(LinkItem& item);
  // Encodes the link for the model. Its work began at `start`.
  void Encode(LinkItem& item, absl::Time start);
  // Ends the item with this status; the last item of a job queues the reply.
  void EndItem(LinkItem& item, absl::Status status);
  // The loop of a responder, which builds and sends replies.
  void RunResponder(WorkLane lane);
  void Respond(LinkJob* job);

  const int context_worker_count_;
  Quotas* const quotas_;
  ServerMetrics* const metrics_;
  const Clock* const clock_;
  ScheduleObserver* const observer_;

  Admission admission_;
  LinkAdmission link_admission_;
  VersionWaits waits_;
  UnreadAnswers answers_;
  ResultCache results_;
  EncodedLinkPool encoded_;
  LinkQueue context_queue_;  // links that wait for a context worker
  LinkQueue model_queue_;    // links that wait for a model executor
  LinkQueue reply_queue_;    // of each job to be answered, the last link
  std::unique_ptr<ShadowJobs> shadows_;  // null: none
  std::unique_ptr<WorkerThreads> responders_;
  std::unique_ptr<ModelExecutor> executor_;
  std::unique_ptr<WorkerThreads> context_workers_;
};

// The settings by which a pipeline with these options schedules its links.
ScheduleLimits ScheduleLimitsOf(const ServerOptions& options);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_PIPELINE_H_
