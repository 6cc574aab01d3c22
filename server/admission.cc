#include "server/admission.h"

#include <algorithm>

namespace slice {
namespace {

// Weight of one more item in the running cost: about the last hundred count.
constexpr double kItemWeight = 0.01;

}  // namespace

Admission::Admission(const AdmissionOptions& options) : options_(options) {}

AdmissionResult Admission::TryAdmit(const RequestedWork& work,
                                    absl::Duration budget) {
  MutexLock lock(&mutex_);
  if (draining_) return AdmissionResult::kDraining;
  if (work.items > options_.max_items - items_) {
    return AdmissionResult::kItemsFull;
  }
  if (work.bytes > options_.max_bytes - bytes_) {
    return AdmissionResult::kBytesFull;
  }
  if (items_ > 0 && Wait(work.request_class, work.cost) > budget) {
    return AdmissionResult::kTooLate;
  }
  items_ += work.items;
  bytes_ += work.bytes;
  cost_inside_[static_cast<size_t>(work.request_class)] += work.cost;
  return AdmissionResult::kAdmitted;
}

void Admission::Release(const RequestedWork& work) {
  MutexLock lock(&mutex_);
  size_t& cost = cost_inside_[static_cast<size_t>(work.request_class)];
  cost -= std::min(work.cost, cost);
  items_ -= std::min(work.items, items_);
  bytes_ -= std::min(work.bytes, bytes_);
}

void Admission::StartDraining() {
  MutexLock lock(&mutex_);
  draining_ = true;
}

void Admission::ReportCost(WorkStage stage, size_t cost, int workers,
                           absl::Duration elapsed) {
  if (cost == 0) return;
  const double unit = absl::ToDoubleSeconds(elapsed) /
                      static_cast<double>(cost) / std::max(1, workers);
  const double weight = std::min(1.0, kItemWeight * static_cast<double>(cost));
  MutexLock lock(&mutex_);
  double& mean = unit_cost_[static_cast<size_t>(stage)];
  mean = mean == 0 ? unit : mean + weight * (unit - mean);
}

// With `more` cost of its own. Interactive work has all but the share of bulk
// work to itself; bulk work waits for everything.
absl::Duration Admission::Wait(RequestClass request_class, size_t more) const {
  const double unit = std::max(unit_cost_[0], unit_cost_[1]);
  const auto interactive = static_cast<double>(cost_inside_[0]);
  const auto bulk = static_cast<double>(cost_inside_[1]);
  double ahead = interactive + bulk;
  if (request_class == RequestClass::kInteractive) {
    const double share = options_.bulk_share;
    ahead = interactive +
            std::min(bulk, (interactive + more) * share / (1 - share));
  }
  return absl::Seconds((ahead + static_cast<double>(more)) * unit);
}

absl::Duration Admission::PredictedWait(RequestClass request_class) const {
  MutexLock lock(&mutex_);
  return Wait(request_class, 0);
}

size_t Admission::items() const {
  MutexLock lock(&mutex_);
  return items_;
}

size_t Admission::bytes() const {
  MutexLock lock(&mutex_);
  return bytes_;
}

}  // namespace slice
