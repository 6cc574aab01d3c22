// Returns freed memory to the machine. Without this, the allocator may keep the
// memory of a flood of requests for as long as the process lives.
#ifndef SLICE_COMMON_FREED_MEMORY_H_
#define SLICE_COMMON_FREED_MEMORY_H_

#include "common/periodic_task.h"

namespace slice {

// jemalloc keeps some freed blocks of each size for the thread that freed them,
// and those keep the pages around them. This gives back the blocks of the
// calling thread. Without jemalloc it does nothing.
void EmptyThreadCache();

// Returns the memory that is free in the allocator now: that of jemalloc in a
// program that loads it, otherwise that of the C library. Empties the cache of
// the calling thread alone.
void ReturnFreedMemory();

// The memory that the process holds now (its resident set), in MiB; 0 when it
// is unknown.
double ResidentMib();

// While it lives, the C library keeps freed memory for the process. Work that
// allocates and frees the same large blocks again and again then gets them
// without the cost of new pages. Some versions of the C library do so for
// blocks of at most 32 MiB alone. At the end the memory is returned. One at a
// time.
class FreedMemoryKeeper {
 public:
  FreedMemoryKeeper();
  FreedMemoryKeeper(const FreedMemoryKeeper&) = delete;
  FreedMemoryKeeper& operator=(const FreedMemoryKeeper&) = delete;
  ~FreedMemoryKeeper();
};

// A thread that runs for as long as the object lives. Every ten seconds it
// calls ReturnFreedMemory, if the process holds at least 16 MiB more than after
// the last call, or less: then what was freed may lie between what is in use.
class FreedMemoryReturner {
 public:
  FreedMemoryReturner();
  FreedMemoryReturner(const FreedMemoryReturner&) = delete;
  FreedMemoryReturner& operator=(const FreedMemoryReturner&) = delete;

 private:
  void ReturnWhenWorthwhile();

  double resident_;  // the resident set after the last return of memory, in MiB
  PeriodicTask task_;
};

}  // namespace slice

#endif  // SLICE_COMMON_FREED_MEMORY_H_
