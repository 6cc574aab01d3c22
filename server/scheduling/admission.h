// Decides how much work the server takes on. It bounds the items and the bytes
// inside the server, and the time that the items will wait.
#ifndef SLICE_SERVER_SCHEDULING_ADMISSION_H_
#define SLICE_SERVER_SCHEDULING_ADMISSION_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"
#include "common/mutex.h"
#include "server/scheduling/batch_queue.h"
#include "server/scheduling/client_shares.h"
#include "server/scheduling/stage_costs.h"
#include "server/scheduling/work_item.h"

namespace slice {

enum class AdmissionResult {
  kAdmitted,
  kItemsFull,
  kBytesFull,
  kClientFull,  // the work would leave too little room for other clients
  kQuotaFull,  // the host would have more inside than RequestedWork::most_items
  kTooLate,    // the deadline would pass before the work is done
  kDraining,
};

struct AdmissionOptions {
  size_t max_items = 8192;
  size_t max_bytes = size_t{256} << 20;
  // The values of the queues, because the predicted wait follows the order in
  // which the queues serve work.
  double bulk_share = BatchQueueOptions().bulk_share;
  size_t quantum = BatchQueueOptions().quantum;
};

// Counts work from its admission to its end. Thread-safe.
//
// One client cannot fill the server for the others. A request is refused when
// its host would then have more inside the server than the room that is free,
// in items or in bytes (dynamic thresholds: Choudhury and Hahne, IEEE/ACM
// Trans. Networking 1998). A similar rule keeps the clients of one host apart
// (ClientShares::Exceeds). So a host that is alone gets at most half of the
// server, and a client that is alone at most a third. A host that has nothing
// inside may use all the free room.
class Admission {
 public:
  explicit Admission(const AdmissionOptions& options);

  // Takes all of `work` or nothing; `budget` is the time until its deadline. An
  // empty server never refuses work as too late: otherwise a cost that was
  // measured in a bad moment could never be corrected.
  // `workload_time`, which may be null, receives
  //   (cost of `work` + cost of all work that is served before it) *
  //   (measured time per cost of the slowest stage),
  // which is zero before the first measurement. Pass it to ReportWait when the
  // work has ended.
  AdmissionResult TryAdmit(const RequestedWork& work, absl::Duration budget,
                           absl::Duration* workload_time = nullptr);

  // What TryAdmit would return now; takes nothing.
  AdmissionResult Check(const RequestedWork& work, absl::Duration budget) const;

  // Charges the client of `answer` for the bytes of an answer that waits for
  // its reader. An answer is never refused, because the work for it is done.
  // But what is beyond the share of its host leaves no less room to other hosts
  // (ClientShares::AddAnswer). Pass the same `answer` to Release later.
  void HoldAnswer(const RequestedWork& answer);

  // Takes room for memory that work inside turns out to need, by the rules of
  // TryAdmit; false when there is none. Pass the same `memory` to Release
  // later.
  bool TryHold(const RequestedWork& memory);

  // Gives back the room that work or an answer took, once it has ended.
  void Release(const RequestedWork& work);

  void StartDraining();

  // Changes the limits. Work that is inside already stays, even if it is more.
  void SetLimits(size_t max_items, size_t max_bytes);

  // As StageCosts::Report. Each class has its own measurements: a bulk thread
  // has a lower priority, and the time that it waits for a core counts.
  void ReportCost(WorkStage stage, RequestClass request_class, size_t cost,
                  int workers, absl::Duration elapsed);

  // Reports that work of this class took `waited` from admission to its end,
  // and that TryAdmit computed `workload_time` for it. The stages compete for
  // cores with each other and with gRPC, so `waited` is a multiple of
  // `workload_time`. Admission learns this multiple.
  void ReportWait(RequestClass request_class, absl::Duration workload_time,
                  absl::Duration waited);

  // How long this work would take if it came now: workload time * learned
  // multiple. All but a few of the earlier requests stayed below that multiple.
  absl::Duration PredictedWait(const RequestedWork& work) const;

  // How long it will take until all work of this class that is inside now is
  // done.
  absl::Duration PredictedWait(RequestClass request_class) const;

  size_t items() const;
  size_t bytes() const;
  // Interactive requests admitted since the start.
  uint64_t interactive_requests() const {
    return interactive_requests_.load(std::memory_order_relaxed);
  }
  AdmissionOptions options() const;

 private:
  AdmissionResult Judge(const RequestedWork& work, absl::Duration workload,
                        absl::Duration budget) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Of max_bytes, for a host that has nothing inside.
  size_t BytesLeft() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t CostUntilDone(const RequestedWork& work) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return shares_.CostUntilDone(work, options_.quantum);
  }
  // The time to serve `cost_until_done` of this class, and the work of the
  // other class that is served meanwhile.
  absl::Duration Workload(RequestClass request_class,
                          size_t cost_until_done) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  double Stretch(RequestClass request_class) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stretch_[static_cast<size_t>(request_class)];
  }

  mutable Mutex mutex_;
  AdmissionOptions options_ ABSL_GUARDED_BY(mutex_);
  ClientShares shares_ ABSL_GUARDED_BY(mutex_);
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  std::atomic<uint64_t> interactive_requests_{0};
  StageCosts stage_costs_ ABSL_GUARDED_BY(mutex_);
  // By class: the learned multiple, a high expectile of (waited time) /
  // (workload time).
  std::array<double, kRequestClasses> stretch_ ABSL_GUARDED_BY(mutex_) = {1, 1};
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_ADMISSION_H_
