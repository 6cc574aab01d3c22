#include "server/transport/memory_shares.h"

namespace slice {

std::unique_ptr<MemoryShares::Share> MemoryShares::Take(const std::string& host,
                                                        size_t bytes) {
  MutexLock lock(&mutex_);
  const auto found = by_host_.find(host);
  const size_t has = found == by_host_.end() ? 0 : found->second;
  const size_t free = bytes_ - taken_;
  if (bytes > free || has + bytes > free - bytes) return nullptr;
  taken_ += bytes;
  if (bytes > 0) by_host_[host] = has + bytes;
  return std::make_unique<Share>(this, host, bytes);
}

size_t MemoryShares::taken() const {
  MutexLock lock(&mutex_);
  return taken_;
}

void MemoryShares::GiveBack(const std::string& host, size_t bytes) {
  if (bytes == 0) return;  // such as of an answer without a body
  MutexLock lock(&mutex_);
  taken_ -= bytes;
  const auto found = by_host_.find(host);
  found->second -= bytes;
  if (found->second == 0) by_host_.erase(found);
}

}  // namespace slice
