#include "tests/server/stalled_disk.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {

std::atomic<bool> stalled{false};
std::atomic<int> writers{0};

}  // namespace

// In the place of the one of the C library.
extern "C" int fdatasync(int descriptor) {
  ++writers;
  stalled.wait(true);
  --writers;
  return static_cast<int>(syscall(SYS_fdatasync, descriptor));
}

namespace slice {

StalledDisk::StalledDisk() { stalled = true; }

void StalledDisk::AwaitWriter() const {
  while (writers == 0) usleep(1000);
}

void StalledDisk::End() {
  stalled = false;
  stalled.notify_all();
}

}  // namespace slice
