// The threads that run batches on models.
#ifndef SLICE_SERVER_PIPELINE_MODEL_EXECUTOR_H_
#define SLICE_SERVER_PIPELINE_MODEL_EXECUTOR_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/pipeline/encoded_link_pool.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/result_cache.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/batch_scheduler.h"
#include "server/scheduling/schedule_observer.h"
#include "server/scheduling/worker_threads.h"
#include "server/server_metrics.h"

namespace slice {

// What the executors share with the pipeline; all outlive the executors.
struct ModelExecutorOptions {
  std::vector<WorkLane> lanes = {WorkLane::kAll};
  int threads = 1;                      // of each lane
  BatchScheduler* scheduler = nullptr;  // holds LinkItems only
  Admission* admission = nullptr;
  ResultCache* results = nullptr;
  EncodedLinkPool* encoded = nullptr;  // takes back what was scored
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;
  ScheduleObserver* observer = nullptr;  // or null
  // Ends an item: its status is OK with the prediction filled in, or why not.
  // Called from the executor threads, exactly once per item.
  std::function<void(LinkItem& item, absl::Status status)> end_item;
};

// Starts its threads at construction; they stop when the scheduler is closed
// and empty. The destructor waits for that.
class ModelExecutor {
 public:
  explicit ModelExecutor(ModelExecutorOptions options);
  ModelExecutor(const ModelExecutor&) = delete;
  ModelExecutor& operator=(const ModelExecutor&) = delete;

  // Runs a batch of one on the calling thread, beside those of the threads.
  void RunOne(LinkItem& item) { RunBatch({&item}); }

 private:
  using Items = std::vector<LinkItem*>;

  void Run(WorkLane lane);
  void RunTaken(const WorkBatch& batch);
  void RunBatch(Items items);
  // Ends the items that are late or cancelled at `now` and removes them.
  void DropUnwanted(absl::Time now, Items& items);
  absl::Status Score(const Items& items, const ContextBatch& batch,
                     absl::Time start);
  // Tells admission what a batch took, by the classes of its items.
  void ReportCost(const Items& items, absl::Duration elapsed);
  void KeepAnswer(const LinkItem& item);

  const ModelExecutorOptions options_;
  WorkerThreads threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_MODEL_EXECUTOR_H_
