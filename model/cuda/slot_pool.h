// The free slots of a device.
#ifndef SLICE_MODEL_CUDA_SLOT_POOL_H_
#define SLICE_MODEL_CUDA_SLOT_POOL_H_

#include <deque>
#include <optional>

#include "common/mutex.h"

namespace slice {

// Thread-safe. Slots are handed out in the order they came back: the slots of
// streams in turns.
class SlotPool {
 public:
  explicit SlotPool(int slots) {
    for (int slot = 0; slot < slots; ++slot) free_.push_back(slot);
  }

  // Waits for a slot to be free. A caller that holds one takes the next by
  // TryTake: two that wait for each other's would wait for ever.
  int Take() {
    MutexLock lock(&mutex_);
    while (free_.empty()) changed_.Wait(&mutex_);
    return Pop();
  }

  // Nothing when none is free.
  std::optional<int> TryTake() {
    MutexLock lock(&mutex_);
    if (free_.empty()) return std::nullopt;
    return Pop();
  }

  void Return(int slot) {
    {
      MutexLock lock(&mutex_);
      free_.push_back(slot);
    }
    changed_.Signal();
  }

 private:
  int Pop() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const int slot = free_.front();
    free_.pop_front();
    return slot;
  }

  Mutex mutex_;
  CondVar changed_;
  std::deque<int> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_SLOT_POOL_H_
