// The check of lock orders that Debian's Abseil makes at run time.
#ifndef SLICE_COMMON_LOCK_ORDER_H_
#define SLICE_COMMON_LOCK_ORDER_H_

#include "absl/synchronization/mutex.h"

namespace slice {

// Debian builds Abseil with assertions: each absl::Mutex that gRPC locks is
// noted in a global graph, behind a global lock, in search of deadlocks. For
// the main functions of programs; tests keep the check.
inline void ForgoLockOrderChecks() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace slice

#endif  // SLICE_COMMON_LOCK_ORDER_H_
