// Gives the machine what the process has freed. The allocator keeps it: after a
// flood of requests, for as long as the process lives.
#ifndef SLICE_COMMON_FREED_MEMORY_H_
#define SLICE_COMMON_FREED_MEMORY_H_

#include <thread>

#include "common/mutex.h"

namespace slice {

// Once, now.
void ReturnFreedMemory();

// The resident set now, in MiB; 0 when the kernel does not tell.
double ResidentMib();

// Every ten seconds, when the process holds 16 MiB more than the last time it
// gave memory back. In a thread of its own, for as long as it exists.
class FreedMemoryReturner {
 public:
  FreedMemoryReturner();
  ~FreedMemoryReturner();
  FreedMemoryReturner(const FreedMemoryReturner&) = delete;
  FreedMemoryReturner& operator=(const FreedMemoryReturner&) = delete;

 private:
  void Run(double least);  // the resident set when memory was given back

  Mutex mutex_;
  CondVar ended_now_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_COMMON_FREED_MEMORY_H_
