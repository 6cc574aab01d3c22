// Returns freed memory to the machine. The allocator would keep it: after a
// flood of requests, for as long as the process lives.
#ifndef SLICE_COMMON_FREED_MEMORY_H_
#define SLICE_COMMON_FREED_MEMORY_H_

#include <thread>

#include "common/mutex.h"

namespace slice {

// Returns it once, now.
void ReturnFreedMemory();

// The resident set now, in MiB; 0 when it is unknown.
double ResidentMib();

// A thread that runs for as long as the object lives. Every ten seconds it
// calls ReturnFreedMemory, if the process holds at least 16 MiB more than after
// the last call.
class FreedMemoryReturner {
 public:
  FreedMemoryReturner();
  ~FreedMemoryReturner();
  FreedMemoryReturner(const FreedMemoryReturner&) = delete;
  FreedMemoryReturner& operator=(const FreedMemoryReturner&) = delete;

 private:
  // `least`: the resident set after the last return of memory, in MiB.
  void Run(double least);

  Mutex mutex_;
  CondVar ended_now_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_COMMON_FREED_MEMORY_H_
