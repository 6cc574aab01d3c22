#include "server/transport/memory_shares.h"

namespace slice {

std::unique_ptr<MemoryShares::Share> MemoryShares::Take(const std::string& host,
                                                        size_t bytes) {
  if (!Change(host, 0, bytes)) return nullptr;
  return std::make_unique<Share>(this, host, bytes);
}

size_t MemoryShares::taken() const {
  MutexLock lock(&mutex_);
  return taken_;
}

bool MemoryShares::Change(const std::string& host, size_t from, size_t to) {
  MutexLock lock(&mutex_);
  const auto found = by_host_.find(host);
  const size_t others =  // of the same host
      found == by_host_.end() ? 0 : found->second - from;
  const size_t free = bytes_ - (taken_ - from);
  if (to > from && (to > free || others + to > free - to)) return false;
  taken_ = taken_ - from + to;
  if (others + to > 0) {
    by_host_[host] = others + to;
  } else if (found != by_host_.end()) {
    by_host_.erase(found);
  }
  return true;
}

}  // namespace slice
