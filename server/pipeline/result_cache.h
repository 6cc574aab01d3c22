// Answers to links asked about before. An answer is a function of its key
// (docs/serving.md), so a hit differs from a new answer by rounding at most.
#ifndef SLICE_SERVER_PIPELINE_RESULT_CACHE_H_
#define SLICE_SERVER_PIPELINE_RESULT_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "graphstore/types.h"
#include "server/pipeline/link_answer.h"

namespace rocksdb {
class Cache;
}

namespace slice {

// The seed is the bundle's, and so part of its id.
struct ResultKey {
  std::string_view bundle_id;
  uint64_t graph_version = 0;
  Link link;
  int explanation_level = 0;
};

// Bounded in bytes; the least recently used answers leave first. Thread-safe.
class ResultCache {
 public:
  // With 0 bytes nothing is kept.
  explicit ResultCache(size_t max_bytes);
  ~ResultCache();

  bool enabled() const { return cache_ != nullptr; }

  // Null when there is none.
  std::shared_ptr<const LinkAnswer> Find(const ResultKey& key) const;

  void Insert(const ResultKey& key, std::shared_ptr<const LinkAnswer> answer);

  // With keys and book-keeping.
  size_t bytes() const;

 private:
  const std::shared_ptr<rocksdb::Cache> cache_;
};

// Of the answer and all it owns.
size_t MemoryBytes(const LinkAnswer& answer);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_RESULT_CACHE_H_
