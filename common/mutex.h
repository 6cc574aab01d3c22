// Annotated mutex, lock and condition variable over the standard library.
//
// absl::Mutex is not used: Debian's Abseil is built without ThreadSanitizer,
// which therefore reports false races in it. clang checks the annotations with
// -Werror=thread-safety.
#ifndef SLICE_COMMON_MUTEX_H_
#define SLICE_COMMON_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"

namespace slice {

// A plain exclusive lock. Thread-safe.
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Locks a Mutex when it is made and unlocks it when it is destroyed.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// A condition variable bound to a Mutex. Waits may wake spuriously: test the
// condition in a loop.
class CondVar {
 public:
  // Releases `mutex` while it waits, and holds it again on return. REQUIRES:
  // `mutex` is held.
  void Wait(Mutex* mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }

  // As Wait, but waits for at most `timeout`. Returns false when that passed.
  bool WaitFor(Mutex* mutex, absl::Duration timeout)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    const auto result =
        condition_.wait_for(lock, absl::ToChronoMicroseconds(timeout));
    lock.release();
    return result == std::cv_status::no_timeout;
  }

  void Signal() { condition_.notify_one(); }
  void SignalAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace slice

#endif  // SLICE_COMMON_MUTEX_H_
