// The threads that run batches on models.
#ifndef SLICE_SERVER_MODEL_EXECUTOR_H_
#define SLICE_SERVER_MODEL_EXECUTOR_H_

#include <functional>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/admission.h"
#include "server/batch_scheduler.h"
#include "server/link_job.h"
#include "server/metrics.h"
#include "server/schedule_observer.h"

namespace slice {

// What the executors share with the pipeline; all outlive the executors.
struct ModelExecutorOptions {
  int threads = 1;
  BatchScheduler* scheduler = nullptr;  // holds LinkItems only
  Admission* admission = nullptr;
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;
  ScheduleObserver* observer = nullptr;  // or null
  // Ends an item: its status is OK with the prediction filled in, or why not.
  // Called from the executor threads, exactly once per item.
  std::function<void(LinkItem& item, absl::Status status)> end_item;
};

// Starts its threads at construction; they stop when the scheduler is closed
// and empty. Joined by the destructor.
class ModelExecutor {
 public:
  explicit ModelExecutor(ModelExecutorOptions options);
  ~ModelExecutor();
  ModelExecutor(const ModelExecutor&) = delete;
  ModelExecutor& operator=(const ModelExecutor&) = delete;

 private:
  using Items = std::vector<LinkItem*>;

  void Run();
  void RunBatch(Items items);
  // Ends the items that are late or cancelled at `now` and removes them.
  void DropUnwanted(absl::Time now, Items& items);
  absl::Status Score(const Items& items, const ContextBatch& batch,
                     absl::Time start);

  const ModelExecutorOptions options_;
  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_MODEL_EXECUTOR_H_
