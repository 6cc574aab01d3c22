// Keeps the end features (context/end_features.h) of the relations that were
// asked for most recently.
#ifndef SLICE_CONTEXT_END_FEATURE_CACHE_H_
#define SLICE_CONTEXT_END_FEATURE_CACHE_H_

#include <cstddef>
#include <list>
#include <memory>
#include <utility>

#include "common/mutex.h"
#include "context/end_columns.h"
#include "context/end_features.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Thread-safe. When two threads ask for the same missing relation at once, both
// compute its features.
class EndFeatureCache {
 public:
  // Keeps at most `max_bytes` of end features, but always those of one
  // relation. `snapshot` and `encoder` must outlive the cache.
  EndFeatureCache(const GraphSnapshot& snapshot, const LinkEncoder& encoder,
                  size_t max_bytes);

  // The end features of `relation`. Computes them on `threads` threads if the
  // cache does not have them.
  std::shared_ptr<const EndFeatures> Get(RelationId relation, int threads);

  const EndColumns& columns() const { return columns_; }

 private:
  using Entry = std::pair<RelationId, std::shared_ptr<const EndFeatures>>;
  std::shared_ptr<const EndFeatures> Find(RelationId relation);

  const GraphSnapshot* const snapshot_;
  const LinkEncoder* const encoder_;
  const EndColumns columns_;
  const size_t max_bytes_;

  Mutex mutex_;
  std::list<Entry> kept_ ABSL_GUARDED_BY(mutex_);  // most recently used first
};

}  // namespace slice

#endif  // SLICE_CONTEXT_END_FEATURE_CACHE_H_
