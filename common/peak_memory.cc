#include "common/peak_memory.h"

#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fstream>
#include <string>

namespace slice {

void ResetPeakMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  // proc(5): 5 resets the "high water mark".
  std::ofstream("/proc/self/clear_refs") << "5";
}

double PeakMemoryMib() {
  std::ifstream status("/proc/self/status");
  std::string name;
  while (status >> name) {
    double kib = 0;
    if (name == "VmHWM:" && status >> kib) return kib / 1024;
    std::getline(status, name);
  }
  return 0;
}

}  // namespace slice
