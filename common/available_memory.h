// How much memory a program may still take.
#ifndef SLICE_COMMON_AVAILABLE_MEMORY_H_
#define SLICE_COMMON_AVAILABLE_MEMORY_H_

#include <filesystem>
#include <string_view>

namespace slice {

// The memory that the machine has available, or less where the control group of
// this process allows less, in MiB. Infinite when neither is known.
double AvailableMemoryMib();

// The memory that the control groups of this process, its own and those above
// it, allow beyond what they hold, in bytes. Infinite when none has a limit.
// Reads below `root`:
//   proc/self/cgroup                                the path of the own group
//   sys/fs/cgroup/PATH/memory.max and memory.stat   of version 2
double MemoryLeftByGroups(const std::filesystem::path& root);

// The number that follows `field`, such as "MemAvailable:", in a text of fields
// and numbers such as /proc/meminfo. Infinite when there is none.
double NumberAfter(std::string_view field, std::string_view text);

}  // namespace slice

#endif  // SLICE_COMMON_AVAILABLE_MEMORY_H_
