// A disk that hangs, for tests.
#ifndef SLICE_TESTS_SERVER_STALLED_DISK_H_
#define SLICE_TESTS_SERVER_STALLED_DISK_H_

namespace slice {

// While it is in scope, all threads of the process wait in fdatasync(2), with
// which RocksDB ends a write.
class StalledDisk {
 public:
  StalledDisk();
  ~StalledDisk() { End(); }
  StalledDisk(const StalledDisk&) = delete;
  StalledDisk& operator=(const StalledDisk&) = delete;

  // Returns when a thread waits.
  void AwaitWriter() const;
  void End();
};

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_STALLED_DISK_H_
