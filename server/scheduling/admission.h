// How much work the server takes on: bounds on the items and bytes inside it,
// and on the time they will wait.
#ifndef SLICE_SERVER_SCHEDULING_ADMISSION_H_
#define SLICE_SERVER_SCHEDULING_ADMISSION_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"
#include "common/mutex.h"
#include "server/scheduling/client_shares.h"
#include "server/scheduling/fair_queue.h"
#include "server/scheduling/stage_costs.h"
#include "server/scheduling/work_item.h"

namespace slice {

enum class AdmissionResult {
  kAdmitted,
  kItemsFull,
  kBytesFull,
  kClientFull,  // it would leave too little room for other clients
  kTooLate,     // its deadline comes before its turn
  kDraining,
};

struct AdmissionOptions {
  size_t max_items = 8192;
  size_t max_bytes = size_t{256} << 20;
  // Of the queues, whose order of service the predicted wait follows.
  double bulk_share = FairQueueOptions().bulk_share;
  size_t quantum = FairQueueOptions().quantum;
};

// Counts the work between admission and its end. Thread-safe.
//
// One client cannot fill the server for the others: what it has inside and asks
// for may not be more than the room that is free, of items or of bytes (dynamic
// thresholds: Choudhury and Hahne, IEEE/ACM Trans. Networking 1998). Alone it
// gets half of the server. A client that has nothing inside gets any room there
// is.
class Admission {
 public:
  explicit Admission(const AdmissionOptions& options);

  // Takes all of `work` or nothing; `budget` is the time until its deadline.
  // Into an empty server it always fits in time: else a cost measured in a bad
  // moment could never be corrected.
  // `workload_time` receives what is served before `work`, and `work` itself,
  // times the measured cost of the slowest stage for their classes: zero before
  // anything was measured. ReportWait wants it back.
  AdmissionResult TryAdmit(const RequestedWork& work, absl::Duration budget,
                           absl::Duration* workload_time = nullptr);

  // What TryAdmit would say now.
  AdmissionResult Check(const RequestedWork& work, absl::Duration budget) const;

  // Counts the bytes of an answer that waits for its reader against its client.
  // Never refused: the work is done. Ends with Release of the same.
  void HoldAnswer(const RequestedWork& answer);

  // Gives back what was admitted or held and has ended.
  void Release(const RequestedWork& work);

  void StartDraining();

  // StageCosts::Report. Each class has a cost of its own: bulk work runs at a
  // lower priority, and the time in which the core was somebody else's counts.
  void ReportCost(WorkStage stage, RequestClass request_class, size_t cost,
                  int workers, absl::Duration elapsed);

  // Tells how long work of this class took from admission to its end, beside
  // its workload time then. Stages compete for cores and share them with
  // the network: what really passes is a multiple, which is learned here.
  void ReportWait(RequestClass request_class, absl::Duration workload_time,
                  absl::Duration waited);

  // How long this work would take if it came now: its workload time times how
  // much longer all but a few of those before it took.
  absl::Duration PredictedWait(const RequestedWork& work) const;

  // The same of all the work of a class that is inside: how long until it is
  // done, and what is served before it.
  absl::Duration PredictedWait(RequestClass request_class) const;

  size_t items() const;
  size_t bytes() const;
  // Interactive requests admitted since the start.
  uint64_t interactive_requests() const {
    return interactive_requests_.load(std::memory_order_relaxed);
  }
  const AdmissionOptions& options() const { return options_; }

 private:
  AdmissionResult Judge(const RequestedWork& work, absl::Duration workload,
                        absl::Duration budget) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t CostUntilDone(const RequestedWork& work) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return shares_.CostUntilDone(work, options_.quantum);
  }
  // The time for so much cost and for what the other class gets meanwhile.
  absl::Duration Workload(RequestClass request_class,
                          size_t cost_until_done) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  double Stretch(RequestClass request_class) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stretch_[static_cast<size_t>(request_class)];
  }

  const AdmissionOptions options_;

  mutable Mutex mutex_;
  ClientShares shares_ ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<uint64_t> interactive_requests_{0};
  StageCosts stage_costs_ ABSL_GUARDED_BY(mutex_);
  // By class: a high expectile of the time passed over the workload time.
  std::array<double, kRequestClasses> stretch_ ABSL_GUARDED_BY(mutex_) = {1, 1};
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_ADMISSION_H_
