// The free slots of a device, shared by the threads that start calls. A slot is
// the buffers for one call (model/cuda/encoder_device.h).
#ifndef SLICE_MODEL_CUDA_SLOT_POOL_H_
#define SLICE_MODEL_CUDA_SLOT_POOL_H_

#include <deque>
#include <optional>

#include "common/mutex.h"

namespace slice {

// Thread-safe. Slots are handed out in the order in which they were returned,
// so that the streams of the device take turns.
class SlotPool {
 public:
  explicit SlotPool(int slots) {
    for (int slot = 0; slot < slots; ++slot) free_.push_back(slot);
  }

  // Waits for a free slot. A caller that holds a slot must call TryTake
  // instead: two callers that wait for each other's slots would wait for ever.
  int Take() {
    MutexLock lock(&mutex_);
    while (free_.empty()) changed_.Wait(&mutex_);
    return Pop();
  }

  // Takes a free slot; returns nothing when none is free.
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
