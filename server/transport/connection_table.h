// The open connections of a listener, by the host that they come from, and how
// many more a host may open.
#ifndef SLICE_SERVER_TRANSPORT_CONNECTION_TABLE_H_
#define SLICE_SERVER_TRANSPORT_CONNECTION_TABLE_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <unordered_map>

namespace slice {

// Thread-compatible.
//
// gRPC owns a connection that it was given, and closes it without a word. One
// is known to be gone when its descriptor is closed or is another file's by
// now.
class ConnectionTable {
 public:
  explicit ConnectionTable(size_t max_connections)
      : max_connections_(max_connections) {}

  // Whether one more from this host fits: a host may not have more than are
  // left for all others (the dynamic thresholds of Admission). Alone it gets
  // half of them.
  bool HasRoom(const std::string& host) const;

  // Takes in an open descriptor of a socket.
  void Add(int descriptor, const std::string& host);

  // Forgets those that are gone. O(connections), a system call each.
  void Sweep();

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
