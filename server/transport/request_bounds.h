// Bounds what a connection may send to an HTTP listener. cpp-httplib 0.11 reads
// a line, the headers and a chunked body of a request to their end, however
// long they are (CVE-2025-53628, CVE-2025-52887, CVE-2025-46728).
#ifndef SLICE_SERVER_TRANSPORT_REQUEST_BOUNDS_H_
#define SLICE_SERVER_TRANSPORT_REQUEST_BOUNDS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "absl/time/time.h"
#include "common/file_descriptor.h"
#include "common/mutex.h"
#include "common/periodic_task.h"

namespace slice {

// Asks the kernel every 10 ms how many bytes each watched connection has
// received, and ends those that go on too long. Whoever sends as fast as a
// network can is ended after 10 ms. Thread-safe.
class RequestBounds {
 public:
  // Of a connection. A request for a page takes less than one KiB; a TLS
  // handshake with a client certificate takes a few more.
  static constexpr size_t kMostBytes = size_t{64} << 10;
  static constexpr absl::Duration kMostTime = absl::Seconds(10);

  RequestBounds();
  RequestBounds(const RequestBounds&) = delete;
  RequestBounds& operator=(const RequestBounds&) = delete;

  // Watches the connections of this process to its own `port` that are not
  // watched yet. The library shows its connections to nobody.
  void WatchNew(uint16_t port);

  size_t watched() const;  // connections now

 private:
  struct Connection {
    std::unique_ptr<FileDescriptor> descriptor;  // a duplicate
    absl::Time since;
  };

  void Add(int descriptor, uint16_t port) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndLongOnes();

  mutable Mutex mutex_;
  std::unordered_map<ino_t, Connection> connections_ ABSL_GUARDED_BY(mutex_);
  PeriodicTask task_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_REQUEST_BOUNDS_H_
