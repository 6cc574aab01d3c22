// Listens in gRPC's stead and bounds the connections. gRPC 1.51 takes in all
// that come, and once the process has run out of descriptors it never accepts
// again (CVE-2023-4785).
#ifndef SLICE_SERVER_TRANSPORT_CONNECTION_LISTENER_H_
#define SLICE_SERVER_TRANSPORT_CONNECTION_LISTENER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/transport/connection_table.h"
#include "server/transport/hostile_hosts.h"

namespace slice {

class ConnectionListener {
 public:
  // Gets a connection and the socket that it came by; owns the connection.
  using Accepted = std::function<void(int listener, int connection)>;

  // Binds HOST:PORT (port 0: any; a name may have several addresses) or
  // unix:PATH. Nobody is accepted yet. UNAVAILABLE when the address is in use
  // or not this host's.
  static absl::StatusOr<std::unique_ptr<ConnectionListener>> Bind(
      const std::string& address, size_t max_connections);
  // Stops.
  ~ConnectionListener();
  ConnectionListener(const ConnectionListener&) = delete;
  ConnectionListener& operator=(const ConnectionListener&) = delete;

  // Accepts in a thread of its own until Stop. Connections beyond the bound, of
  // all or of one host, are closed at once, and those of hosts that are kept
  // out, if they are given.
  void Start(Accepted accepted, const HostileHosts* kept_out = nullptr);

  // Closes the listening sockets and joins the thread; connections that were
  // handed on stay. Idempotent.
  void Stop();

  // HOST:PORT with the port that was bound; unix:PATH as it is.
  const std::string& address() const { return address_; }

  // Thread-safe: open now (as of the last second), and closed at once.
  size_t connections() const { return open_.load(std::memory_order_relaxed); }
  uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  explicit ConnectionListener(size_t max_connections);
  absl::Status BindTcp(const std::string& address);
  absl::Status BindUnix(const std::string& address);
  void Run();
  void Sweep(absl::Duration oldest);
  void AcceptOne(int listener);
  void Take(int listener, int connection);
  bool MayEnter(const std::string& host);
  void DropOne(int listener);

  std::string address_;
  std::string unix_path_;
  std::vector<int> listeners_;
  int wake_ = -1;     // an eventfd that ends the thread
  int reserve_ = -1;  // given up for a moment when descriptors have run out
  Accepted accepted_;
  const HostileHosts* kept_out_ = nullptr;
  ConnectionTable table_;  // the thread's, as is the next
  absl::Time swept_ = absl::InfinitePast();
  std::atomic<size_t> open_{0};
  std::atomic<uint64_t> refused_{0};
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CONNECTION_LISTENER_H_
