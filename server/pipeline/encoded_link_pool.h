// Keeps the memory of encoded links for reuse. Once the pool holds as many
// links as are ever encoded at the same time, encoding a link allocates
// nothing.
#ifndef SLICE_SERVER_PIPELINE_ENCODED_LINK_POOL_H_
#define SLICE_SERVER_PIPELINE_ENCODED_LINK_POOL_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "common/mutex.h"
#include "context/link_encoder.h"

namespace slice {

// Thread-safe.
class EncodedLinkPool {
 public:
  // Keeps at most `max_links` links of a few kilobytes each.
  explicit EncodedLinkPool(size_t max_links) : max_links_(max_links) {}

  // Returns the link that was given back last, with its old content, or a new
  // link when the pool is empty.
  EncodedLink Take() {
    MutexLock lock(&mutex_);
    if (links_.empty()) return {};
    EncodedLink link = std::move(links_.back());
    links_.pop_back();
    return link;
  }

  // Gives a link back, for a later Take.
  void Give(EncodedLink link) {
    MutexLock lock(&mutex_);
    if (links_.size() < max_links_) links_.push_back(std::move(link));
  }

 private:
  const size_t max_links_;
  Mutex mutex_;
  std::vector<EncodedLink> links_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_ENCODED_LINK_POOL_H_
