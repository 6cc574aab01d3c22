// Turns off Abseil's search for deadlocks.
#ifndef SLICE_COMMON_LOCK_ORDER_H_
#define SLICE_COMMON_LOCK_ORDER_H_

#include "absl/synchronization/mutex.h"

namespace slice {

// Debian builds Abseil with assertions, so each absl::Mutex that gRPC locks is
// recorded in a global graph, behind a global lock, to find deadlocks. Call
// this in the main function of a program; tests keep the checks.
inline void DisableLockOrderChecks() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace slice

#endif  // SLICE_COMMON_LOCK_ORDER_H_
