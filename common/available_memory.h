// How much memory a program may still take.
#ifndef SLICE_COMMON_AVAILABLE_MEMORY_H_
#define SLICE_COMMON_AVAILABLE_MEMORY_H_

#include <string_view>

namespace slice {

// What the machine has free, or the control group of this process allows, in
// MiB; infinite when neither tells.
double AvailableMemoryMib();

// The number behind `field` ("MemAvailable:") in a text of fields and numbers,
// such as /proc/meminfo; infinite without one.
double NumberBehind(std::string_view field, std::string_view text);

}  // namespace slice

#endif  // SLICE_COMMON_AVAILABLE_MEMORY_H_
