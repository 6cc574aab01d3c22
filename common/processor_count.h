// How many threads can run at once: the processors that this process may use,
// and the share of their time that its control groups leave to it.
#ifndef SLICE_COMMON_PROCESSOR_COUNT_H_
#define SLICE_COMMON_PROCESSOR_COUNT_H_

#include <filesystem>
#include <limits>
#include <string>

namespace slice {

// What the operating system grants a process.
struct ProcessorShare {
  // Processors of the machine that are online, and those of them that the
  // affinity mask allows (sched_setaffinity(2)). Both are at least 1.
  int online = 1;
  int allowed = 1;
  // Seconds of processor time per second that the tightest control group
  // allows. Infinite without a quota.
  double quota = std::numeric_limits<double>::infinity();
  // The file that states the quota. Empty without one.
  std::filesystem::path quota_file;

  // The threads that can run at once: `allowed`, or the quota rounded up when
  // that is less. At least 1.
  int Count() const;

  // What keeps the process from using all processors all the time, such as "a
  // quota of 1.5 of 8 processors (/sys/fs/cgroup/cpu.max)". Empty when nothing
  // does.
  std::string Limit() const;
};

// Reads these files below `root` (only tests give another root than "/"):
//   proc/self/status, sys/devices/system/cpu/online   the processors
//   proc/self/cgroup, proc/self/mountinfo             the own control group
//   cpu.max (version 2), cpu.cfs_quota_us and cpu.cfs_period_us (version 1) of
//   that group and of those above it                  the quotas
// A file that cannot be read limits nothing.
ProcessorShare ReadProcessorShare(const std::filesystem::path& root = "/");

// The share of this process, read at the first call. Thread-safe.
const ProcessorShare& OwnProcessorShare();

// How many threads to start for work that keeps them busy:
// OwnProcessorShare().Count(). Thread-safe.
int ProcessorCount();

}  // namespace slice

#endif  // SLICE_COMMON_PROCESSOR_COUNT_H_
