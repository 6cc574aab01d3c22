// How much work the server takes on: a bound on the items inside it.
#ifndef SLICE_SERVER_ADMISSION_H_
#define SLICE_SERVER_ADMISSION_H_

#include <array>
#include <cstddef>

#include "absl/time/time.h"
#include "common/mutex.h"

namespace slice {

enum class AdmissionResult { kAdmitted, kQueueFull, kDraining };

// The stages whose cost per item predicts the wait.
enum class WorkStage { kContext = 0, kModel = 1 };

// Counts the items between admission and their end. Thread-safe.
class Admission {
 public:
  explicit Admission(size_t max_queue_items);

  // Takes all of `items` or none. After StartDraining always kDraining.
  AdmissionResult TryAdmit(size_t items);

  // Gives back items that have ended.
  void Release(size_t items);

  void StartDraining();

  // Tells what a stage just took: `elapsed` for `items`, by one of `workers`
  // workers that run at once.
  void ReportCost(WorkStage stage, size_t items, int workers,
                  absl::Duration elapsed);

  // How long the items now inside will take: their number times the measured
  // cost of the slowest stage. Zero before anything was measured.
  absl::Duration PredictedWait() const;

  size_t items() const;

 private:
  const size_t max_queue_items_;

  mutable Mutex mutex_;
  size_t items_ ABSL_GUARDED_BY(mutex_) = 0;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  // Exponentially weighted mean of seconds per item.
  std::array<double, 2> cost_ ABSL_GUARDED_BY(mutex_) = {0, 0};
};

}  // namespace slice

#endif  // SLICE_SERVER_ADMISSION_H_
