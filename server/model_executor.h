// The threads that run batches on models.
#ifndef SLICE_SERVER_MODEL_EXECUTOR_H_
#define SLICE_SERVER_MODEL_EXECUTOR_H_

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/admission.h"
#include "server/batch_scheduler.h"
#include "server/link_job.h"
#include "server/metrics.h"

namespace slice {

// One encoded link of a job, waiting for the model.
class LinkTask final : public BatchTask {
 public:
  LinkTask(LinkJob* job, size_t index, EncodedLink encoded, absl::Time enqueued)
      : job_(job),
        index_(index),
        encoded_(std::move(encoded)),
        enqueued_(enqueued) {}

  BatchKey key() const override { return {&job_->model(), job_->explain()}; }
  absl::Time deadline() const override { return job_->deadline(); }
  bool cancelled() const override { return job_->cancelled(); }

  LinkJob* job() const { return job_; }
  size_t index() const { return index_; }
  LinkItem& item() const { return job_->items()[index_]; }
  EncodedLink& encoded() { return encoded_; }
  const EncodedLink& encoded() const { return encoded_; }
  absl::Time enqueued() const { return enqueued_; }

 private:
  LinkJob* const job_;  // outlives the task: it waits for its end
  const size_t index_;
  EncodedLink encoded_;
  const absl::Time enqueued_;
};

// What the executors share with the pipeline; all outlive the executors.
struct ModelExecutorOptions {
  int threads = 1;
  BatchScheduler* scheduler = nullptr;  // holds LinkTasks only
  Admission* admission = nullptr;
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;
  // Ends an item: its status is OK with the prediction filled in, or why not.
  // Called from the executor threads, exactly once per task.
  std::function<void(const LinkTask& task, absl::Status status)> end_item;
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
  using Tasks = std::vector<std::unique_ptr<BatchTask>>;

  void Run();
  void RunBatch(Tasks tasks);
  // Ends the tasks that are late or cancelled at `now` and removes them.
  void DropUnwanted(absl::Time now, Tasks& tasks);
  absl::Status Score(const Tasks& tasks, const ContextBatch& batch,
                     absl::Time start);

  const ModelExecutorOptions options_;
  std::vector<std::thread> threads_;
};

}  // namespace slice

#endif  // SLICE_SERVER_MODEL_EXECUTOR_H_
