#include "common/freed_memory.h"

#include <features.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmath>
#include <fstream>

#include "absl/time/time.h"

namespace slice {
namespace {

constexpr absl::Duration kInterval = absl::Seconds(10);
constexpr double kWorthwhileMib = 16;

}  // namespace

void ReturnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
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
