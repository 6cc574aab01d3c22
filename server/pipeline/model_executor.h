// The model stage: threads that take batches of links and score them.
#ifndef SLICE_SERVER_PIPELINE_MODEL_EXECUTOR_H_
#define SLICE_SERVER_PIPELINE_MODEL_EXECUTOR_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/pipeline/encoded_link_pool.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/link_queue.h"
#include "server/pipeline/result_cache.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/schedule_observer.h"
#include "server/scheduling/worker_threads.h"
#include "server/server_metrics.h"

namespace slice {

// What the executor shares with the pipeline. The objects behind the pointers
// must outlive the executor.
struct ModelExecutorOptions {
  std::vector<WorkLane> lanes = {WorkLane::kAll};
  int threads = 1;  // of each lane
  LinkQueue* queue = nullptr;
  Admission* admission = nullptr;
  ResultCache* results = nullptr;
  EncodedLinkPool* encoded = nullptr;  // where encoded links are given back
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;
  ScheduleObserver* observer = nullptr;  // or null
  // Called exactly once for each item, when it ends, on the thread that ran it.
  // If the status is OK, the item's prediction is filled in.
  std::function<void(LinkItem& item, absl::Status status)> end_item;
};

// Starts its threads at construction. They stop when the queue is closed and
// empty; the destructor waits for that. Thread-safe.
class ModelExecutor {
 public:
  explicit ModelExecutor(ModelExecutorOptions options);
  ModelExecutor(const ModelExecutor&) = delete;
  ModelExecutor& operator=(const ModelExecutor&) = delete;

  // Runs a batch of one item on the calling thread.
  void RunOne(LinkItem& item) { RunBatch({&item}); }

 private:
  using Items = std::vector<LinkItem*>;

  void Run(WorkLane lane);
  void RunTaken(const LinkBatch& batch);
  void RunBatch(Items items);
  // Ends the items that are late or cancelled at `now` and removes them.
  void DropUnwanted(absl::Time now, Items& items);
  absl::Status Score(const Items& items, const ContextBatch& batch,
                     absl::Time start);
  // Reports the time of a batch to admission, divided between the two classes
  // in proportion to the costs of their items.
  void ReportCost(const Items& items, absl::Duration elapsed);
  void KeepAnswer(const LinkItem& item);

  const ModelExecutorOptions options_;
  WorkerThreads threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_MODEL_EXECUTOR_H_
