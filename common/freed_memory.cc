#include "common/freed_memory.h"

#include <features.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmath>
#include <cstddef>
#include <fstream>

#include "absl/time/time.h"

// Of jemalloc (jemalloc(3)); null in programs that do not load it.
extern "C" [[gnu::weak]] int mallctl(const char* name, void* old_value,
                                     size_t* old_size, void* new_value,
                                     size_t new_size);

namespace slice {
namespace {

constexpr absl::Duration kInterval = absl::Seconds(10);
constexpr double kWorthwhileMib = 16;
// The C library's own thresholds, and the largest that it takes for blocks
// outside of its heaps where it has a bound for them.
constexpr int kDefaultThreshold = 128 << 10, kLargestBlock = 32 << 20;
constexpr int kMostKept = 1 << 30;
constexpr char kPurgeAllArenas[] = "arena.4096.purge";  // MALLCTL_ARENAS_ALL

}  // namespace

void EmptyThreadCache() {
  if (mallctl != nullptr)
    mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
}

void ReturnFreedMemory() {
  if (mallctl != nullptr) {
    EmptyThreadCache();
    mallctl(kPurgeAllArenas, nullptr, nullptr, nullptr, 0);
    return;
  }
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

FreedMemoryKeeper::FreedMemoryKeeper() {
#ifdef __GLIBC__
  if (mallopt(M_MMAP_THRESHOLD, kMostKept) == 0) {
    mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  }
  mallopt(M_TRIM_THRESHOLD, kMostKept);
#endif
}

FreedMemoryKeeper::~FreedMemoryKeeper() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, kDefaultThreshold);
  mallopt(M_TRIM_THRESHOLD, kDefaultThreshold);
#endif
  ReturnFreedMemory();
}

double ResidentMib() {
  // proc(5): the second number is the resident set, in pages.
  std::ifstream pages("/proc/self/statm");
  double all = 0, resident = 0;
  if (!(pages >> all >> resident)) return 0;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

FreedMemoryReturner::FreedMemoryReturner()
    : resident_((ReturnFreedMemory(), ResidentMib())),
      task_(kInterval, [this] { ReturnWhenWorthwhile(); }) {}

void FreedMemoryReturner::ReturnWhenWorthwhile() {
  if (std::abs(ResidentMib() - resident_) < kWorthwhileMib) return;
  ReturnFreedMemory();
  resident_ = ResidentMib();
}

}  // namespace slice
