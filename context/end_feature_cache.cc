#include "context/end_feature_cache.h"

#include <algorithm>
#include <iterator>

namespace slice {

EndFeatureCache::EndFeatureCache(const GraphSnapshot& snapshot,
                                 const LinkEncoder& encoder, size_t max_bytes)
    : snapshot_(&snapshot),
      encoder_(&encoder),
      columns_(encoder),
      max_bytes_(max_bytes) {}

std::shared_ptr<const EndFeatures> EndFeatureCache::Find(RelationId relation) {
  MutexLock lock(&mutex_);
  const auto found = std::find_if(
      kept_.begin(), kept_.end(),
      [relation](const Entry& entry) { return entry.first == relation; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().second;
}

std::shared_ptr<const EndFeatures> EndFeatureCache::Get(RelationId relation,
                                                        int threads) {
  if (auto kept = Find(relation)) return kept;
  auto made = std::make_shared<const EndFeatures>(*snapshot_, *encoder_,
                                                  columns_, relation, threads);
  // The evicted entries; they are destroyed after the lock is released.
  std::list<Entry> given_up;
  MutexLock lock(&mutex_);
  std::erase_if(kept_, [relation](const Entry& entry) {
    return entry.first == relation;
  });
  kept_.emplace_front(relation, made);
  const size_t room = std::max<size_t>(1, max_bytes_ / (made->bytes() + 1));
  while (kept_.size() > room) {
    given_up.splice(given_up.begin(), kept_, std::prev(kept_.end()));
  }
  return made;
}

}  // namespace slice
