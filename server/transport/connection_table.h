// The open connections of a listener by host, and whether a host may open
// another one.
#ifndef SLICE_SERVER_TRANSPORT_CONNECTION_TABLE_H_
#define SLICE_SERVER_TRANSPORT_CONNECTION_TABLE_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <unordered_map>

namespace slice {

// Thread-compatible.
//
// gRPC owns the connections and closes them without telling anyone. The table
// finds out by looking at the descriptor: a connection is gone when its
// descriptor is closed or belongs to another file.
class ConnectionTable {
 public:
  explicit ConnectionTable(size_t max_connections)
      : max_connections_(max_connections) {}

  // Whether one more connection of this host fits. A host may have as many
  // connections as are still free in all (dynamic thresholds, as in
  // server/scheduling/admission.h). So a host that is alone gets half of them.
  bool HasRoom(const std::string& host) const;

  // Adds a connection by the open descriptor of its socket.
  void Add(int descriptor, const std::string& host);

  // Removes the connections that are gone. One system call per connection.
  void Sweep();

  // Ends all connections, as if their other ends had closed them.
  void EndAll() const;

  size_t size() const { return connections_.size(); }
  size_t of(const std::string& host) const;

 private:
  struct Connection {
    ino_t file = 0;
    std::string host;
  };

  void Remove(std::unordered_map<int, Connection>::iterator at);

  const size_t max_connections_;
  std::unordered_map<int, Connection> connections_;  // by descriptor
  std::unordered_map<std::string, size_t> by_host_;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_CONNECTION_TABLE_H_
