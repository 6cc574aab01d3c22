#include "server/transport/connection_table.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <iterator>

namespace slice {
namespace {

// The inode of an open descriptor; 0 for a descriptor that is closed.
ino_t FileOf(int descriptor) {
  struct stat file = {};
  return fstat(descriptor, &file) == 0 ? file.st_ino : 0;
}

}  // namespace

bool ConnectionTable::HasRoom(const std::string& host) const {
  if (size() >= max_connections_) return false;
  const size_t own = of(host);
  return own == 0 || own < max_connections_ - size();
}

void ConnectionTable::Add(int descriptor, const std::string& host) {
  const auto before = connections_.find(descriptor);
  if (before != connections_.end()) Remove(before);
  connections_[descriptor] = {FileOf(descriptor), host};
  ++by_host_[host];
}

void ConnectionTable::Sweep() {
  for (auto at = connections_.begin(); at != connections_.end();) {
    const auto next = std::next(at);
    if (FileOf(at->first) != at->second.file) Remove(at);
    at = next;
  }
}

void ConnectionTable::EndAll() const {
  for (const auto& [descriptor, connection] : connections_) {
    if (FileOf(descriptor) == connection.file) shutdown(descriptor, SHUT_RDWR);
  }
}

size_t ConnectionTable::of(const std::string& host) const {
  const auto found = by_host_.find(host);
  return found == by_host_.end() ? 0 : found->second;
}

void ConnectionTable::Remove(std::unordered_map<int, Connection>::iterator at) {
  const auto host = by_host_.find(at->second.host);
  if (--host->second == 0) by_host_.erase(host);
  connections_.erase(at);
}

}  // namespace slice
