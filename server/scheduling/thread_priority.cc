#include "server/scheduling/thread_priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace slice {
namespace {

constexpr uint64_t kLongSliceNanoseconds = 20'000'000;  // usual: 1 to 3 ms

// As sched_attr of <linux/sched/types.h>, which excludes <sched.h>: both define
// sched_param. See sched_setattr(2).
struct SchedulingAttributes {
  uint32_t size = sizeof(SchedulingAttributes);
  uint32_t policy = SCHED_OTHER;
  uint64_t flags = 0;
  int32_t niceness = 0;
  uint32_t priority = 0;
  uint64_t slice_nanoseconds = 0;  // its name there: sched_runtime
  uint64_t deadline = 0;
  uint64_t period = 0;
};

}  // namespace

// In Linux, niceness, slice and scheduling policy belong to a thread, not to
// the process.
void BeNicer(int niceness) {
  if (niceness == 0) return;
  setpriority(PRIO_PROCESS, gettid(), getpriority(PRIO_PROCESS, 0) + niceness);
}

void WorkInBackground(int niceness) {
  BeNicer(niceness);
  SchedulingAttributes attributes;
  attributes.niceness = getpriority(PRIO_PROCESS, 0);
  attributes.slice_nanoseconds = kLongSliceNanoseconds;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace slice
