// A cache of the answers to links. An answer depends on nothing but its key
// (docs/serving.md), so a cached answer differs from a new one at most by
// rounding.
#ifndef SLICE_SERVER_PIPELINE_RESULT_CACHE_H_
#define SLICE_SERVER_PIPELINE_RESULT_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "graphstore/types.h"
#include "model/prediction.h"
#include "server/pipeline/link_answer.h"

namespace rocksdb {
class Cache;
}

namespace slice {

// What a cached answer depends on. The seed is not listed, because it is part
// of the bundle, which the bundle id identifies.
struct ResultKey {
  std::string_view bundle_id;
  uint64_t graph_version = 0;
  Link link;
  int explanation_level = 0;
  // What evidence is weighed by (OutputReading). Set for full explanations
  // alone: other answers are read anew by the scorer and prior of each request.
  Scorer scorer = Scorer::kContext;
  double prior = 0;
};

// Bounded in bytes; the least recently used answers are removed first.
// Thread-safe.
class ResultCache {
 public:
  // With 0 bytes the cache keeps nothing.
  explicit ResultCache(size_t max_bytes);
  ~ResultCache();

  bool enabled() const { return cache_ != nullptr; }

  // Returns the answer, or null when the cache does not hold it.
  std::shared_ptr<const LinkAnswer> Find(const ResultKey& key) const;

  void Insert(const ResultKey& key, std::shared_ptr<const LinkAnswer> answer);

  // The size of all answers, with keys and book-keeping.
  size_t bytes() const;

 private:
  const std::shared_ptr<rocksdb::Cache> cache_;
};

// The size of an answer and all that it owns.
size_t MemoryBytes(const LinkAnswer& answer);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_RESULT_CACHE_H_
