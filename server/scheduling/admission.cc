// A request is judged in this order:
//   1. the server drains: refused
//   2. its items or bytes do not fit in the room that is left: refused
//   3. its host would have more inside than its quota: refused
//   4. its client would take more than its share of that room
//      (ClientShares::Exceeds): refused
//   5. its predicted wait is more than half of the time until its deadline:
//      refused, unless the server is empty
// Here
//   predicted wait = workload time * learned multiple,
//   workload time = cost served until the request is done *
//                   measured time per cost.
// Everything is counted under one mutex, which is held for no longer than a few
// look-ups in hash maps.
#include "server/scheduling/admission.h"

#include <algorithm>

namespace slice {
namespace {

// Weights of the running expectile of the waits (Newey and Powell, Econometrica
// 1987). A request that took longer than foreseen counts as much as twenty that
// took less, so the expectile is near the 95th percentile.
constexpr double kLongerWeight = 0.1;
constexpr double kShorterWeight = 0.005;
constexpr double kMinStretch = 0.5;
constexpr double kMaxStretch = 8;

// Work is admitted when its predicted wait is at most this share of the time
// until its deadline. A shorter queue keeps the workers as busy as a longer
// one, and work that was admitted and is late costs more than work that was
// refused. The rest of the time allows for the transfer over the network, for
// other programs on the machine, and for the error of an estimate that is
// always one wait old.
constexpr double kForeseenShare = 0.5;

// Shorter workload times count as this long, because so short a wait has other
// causes than the work that is served before.
constexpr absl::Duration kShortestJudged = absl::Milliseconds(1);

}  // namespace

Admission::Admission(const AdmissionOptions& options) : options_(options) {}

AdmissionResult Admission::TryAdmit(const RequestedWork& work,
                                    absl::Duration budget,
                                    absl::Duration* workload_time) {
  MutexLock lock(&mutex_);
  const absl::Duration workload =
      Workload(work.request_class, CostUntilDone(work));
  if (workload_time != nullptr) *workload_time = workload;
  const AdmissionResult result = Judge(work, workload, budget);
  if (result != AdmissionResult::kAdmitted) return result;
  shares_.Add(work);
  if (work.request_class == RequestClass::kInteractive) {
    interactive_requests_.fetch_add(1, std::memory_order_relaxed);
  }
  return result;
}

AdmissionResult Admission::Check(const RequestedWork& work,
                                 absl::Duration budget) const {
  MutexLock lock(&mutex_);
  return Judge(work, Workload(work.request_class, CostUntilDone(work)), budget);
}

void Admission::SetLimits(size_t max_items, size_t max_bytes) {
  MutexLock lock(&mutex_);
  options_.max_items = max_items;
  options_.max_bytes = max_bytes;
}

AdmissionOptions Admission::options() const {
  MutexLock lock(&mutex_);
  return options_;
}

AdmissionResult Admission::Judge(const RequestedWork& work,
                                 absl::Duration workload,
                                 absl::Duration budget) const {
  if (draining_) return AdmissionResult::kDraining;
  const ClientShares::Share& inside = shares_.total();
  const size_t items_left =
      options_.max_items - std::min(inside.items, options_.max_items);
  const size_t bytes_left = BytesLeft();
  if (work.items > items_left) return AdmissionResult::kItemsFull;
  if (work.bytes > bytes_left) return AdmissionResult::kBytesFull;
  if (shares_.ExceedsQuota(work)) return AdmissionResult::kQuotaFull;
  if (shares_.Exceeds(work, items_left, bytes_left)) {
    return AdmissionResult::kClientFull;
  }
  if (inside.items > 0 &&
      workload * Stretch(work.request_class) > kForeseenShare * budget) {
    return AdmissionResult::kTooLate;
  }
  return AdmissionResult::kAdmitted;
}

size_t Admission::BytesLeft() const {
  return options_.max_bytes -
         std::min(shares_.shared_bytes(), options_.max_bytes);
}

void Admission::HoldAnswer(const RequestedWork& answer) {
  MutexLock lock(&mutex_);
  shares_.AddAnswer(answer, BytesLeft());
}

bool Admission::TryHold(const RequestedWork& memory) {
  MutexLock lock(&mutex_);
  const size_t left = BytesLeft();
  if (memory.bytes > left ||
      shares_.Exceeds(memory, options_.max_items, left)) {
    return false;
  }
  shares_.Add(memory);
  return true;
}

void Admission::Release(const RequestedWork& work) {
  MutexLock lock(&mutex_);
  shares_.Remove(work);
}

void Admission::StartDraining() {
  MutexLock lock(&mutex_);
  draining_ = true;
}

void Admission::ReportCost(WorkStage stage, RequestClass request_class,
                           size_t cost, int workers, absl::Duration elapsed) {
  MutexLock lock(&mutex_);
  stage_costs_.Report(stage, request_class, cost, workers, elapsed);
}

void Admission::ReportWait(RequestClass request_class,
                           absl::Duration workload_time,
                           absl::Duration waited) {
  const double ratio = std::clamp(
      absl::FDivDuration(waited, std::max(workload_time, kShortestJudged)),
      kMinStretch, kMaxStretch);
  MutexLock lock(&mutex_);
  double& stretch = stretch_[static_cast<size_t>(request_class)];
  const double weight = ratio > stretch ? kLongerWeight : kShorterWeight;
  stretch += weight * (ratio - stretch);
}

// For interactive work, adds the share of bulk work that is served meanwhile.
// Bulk work is taken to wait for all interactive work.
absl::Duration Admission::Workload(RequestClass request_class,
                                   size_t cost_until_done) const {
  const auto until_done = static_cast<double>(cost_until_done);
  const double interactive_unit =
      stage_costs_.UnitSeconds(RequestClass::kInteractive);
  if (request_class == RequestClass::kInteractive) {
    const double share = options_.bulk_share;
    const double bulk = std::min(static_cast<double>(shares_.total().cost[1]),
                                 until_done * share / (1 - share));
    return absl::Seconds((until_done + bulk) * interactive_unit);
  }
  const auto interactive = static_cast<double>(shares_.total().cost[0]);
  return absl::Seconds(interactive * interactive_unit +
                       until_done *
                           stage_costs_.UnitSeconds(RequestClass::kBulk));
}

absl::Duration Admission::PredictedWait(const RequestedWork& work) const {
  MutexLock lock(&mutex_);
  return Workload(work.request_class, CostUntilDone(work)) *
         Stretch(work.request_class);
}

absl::Duration Admission::PredictedWait(RequestClass request_class) const {
  MutexLock lock(&mutex_);
  return Workload(request_class,
                  shares_.total().cost[static_cast<size_t>(request_class)]) *
         Stretch(request_class);
}

size_t Admission::items() const {
  MutexLock lock(&mutex_);
  return shares_.total().items;
}

size_t Admission::bytes() const {
  MutexLock lock(&mutex_);
  return shares_.total().bytes;
}

}  // namespace slice
