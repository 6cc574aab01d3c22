#include "common/peak_memory.h"

#include <fstream>
#include <string>

#include "common/freed_memory.h"

namespace slice {

void ResetPeakMemory() {
  ReturnFreedMemory();
  // Writing 5 resets the peak resident set size, "VmHWM" (proc(5)).
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
