#include "server/admission.h"

#include <algorithm>

namespace slice {
namespace {

// Weight of one more item in the running cost: about the last hundred count.
constexpr double kItemWeight = 0.01;

}  // namespace

Admission::Admission(size_t max_queue_items)
    : max_queue_items_(max_queue_items) {}

AdmissionResult Admission::TryAdmit(size_t items) {
  MutexLock lock(&mutex_);
  if (draining_) return AdmissionResult::kDraining;
  if (items > max_queue_items_ - items_) return AdmissionResult::kQueueFull;
  items_ += items;
  return AdmissionResult::kAdmitted;
}

void Admission::Release(size_t items) {
  MutexLock lock(&mutex_);
  items_ -= std::min(items, items_);
}

void Admission::StartDraining() {
  MutexLock lock(&mutex_);
  draining_ = true;
}

void Admission::ReportCost(WorkStage stage, size_t items, int workers,
                           absl::Duration elapsed) {
  if (items == 0) return;
  const double cost = absl::ToDoubleSeconds(elapsed) /
                      static_cast<double>(items) / std::max(1, workers);
  const double weight = std::min(1.0, kItemWeight * static_cast<double>(items));
  MutexLock lock(&mutex_);
  double& mean = cost_[static_cast<size_t>(stage)];
  mean = mean == 0 ? cost : mean + weight * (cost - mean);
}

absl::Duration Admission::PredictedWait() const {
  MutexLock lock(&mutex_);
  return absl::Seconds(static_cast<double>(items_) *
                       std::max(cost_[0], cost_[1]));
}

size_t Admission::items() const {
  MutexLock lock(&mutex_);
  return items_;
}

}  // namespace slice
