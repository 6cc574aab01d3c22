// How much memory a program may still take.
#ifndef SLICE_COMMON_AVAILABLE_MEMORY_H_
#define SLICE_COMMON_AVAILABLE_MEMORY_H_

#include <string_view>

namespace slice {

// What the machine has free, or the control group of this process allows, in
// MiB; infinite when neither tells.
double AvailableMemoryMib();

// The number behind "MemAvailable:" in the text of /proc/meminfo, in MiB;
// infinite without one.
double MemAvailableMib(std::string_view meminfo);

}  // namespace slice

#endif  // SLICE_COMMON_AVAILABLE_MEMORY_H_
