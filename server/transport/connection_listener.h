// Accepts connections in place of gRPC and bounds their number. gRPC 1.51
// accepts every connection, and once the process has run out of descriptors it
// never accepts again (CVE-2023-4785).
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

// Thread-compatible but for the two accessors that say otherwise.
class ConnectionListener {
 public:
  // Gets an accepted connection and the listening socket that it came by. The
  // callee owns the connection.
  using Accepted = std::function<void(int listener, int connection)>;

  // Binds HOST:PORT (port 0: any free port; all addresses of a name) or
  // unix:PATH. Accepts nothing yet. UNAVAILABLE when the address is in use or
  // does not belong to this host.
  static absl::StatusOr<std::unique_ptr<ConnectionListener>> Bind(
      const std::string& address, size_t max_connections);
  // Calls Stop.
  ~ConnectionListener();
  ConnectionListener(const ConnectionListener&) = delete;
  ConnectionListener& operator=(const ConnectionListener&) = delete;

  // Accepts in a thread of its own until Stop. Closes a connection at once when
  // too many are open, in all or of its host (ConnectionTable), or when its
  // host is in `kept_out`, which may be null.
  void Start(Accepted accepted, const HostileHosts* kept_out = nullptr);

  // Closes the listening sockets and joins the thread. Accepted connections
  // stay open. Idempotent.
  void Stop();

  // HOST:PORT with the port that was bound, or unix:PATH.
  const std::string& address() const { return address_; }

  // Ends the connections that are open. REQUIRES: after Stop.
  void EndConnections() const { table_.EndAll(); }

  // connections() is the number of open connections, as of at most a second
  // ago. refused() is the number that were closed as soon as they were
  // accepted. Thread-safe.
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
  int reserve_ = -1;  // a spare descriptor for when descriptors run out
  Accepted accepted_;
  const HostileHosts* kept_out_ = nullptr;
  // Used by the thread alone.
  ConnectionTable table_;
  absl::Time swept_ = absl::InfinitePast();

  std::atomic<size_t> open_{0};
  std::atomic<uint64_t> refused_{0};
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CONNECTION_LISTENER_H_
