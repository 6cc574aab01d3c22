#include "server/pipeline/result_cache.h"

#include <rocksdb/cache.h>

#include <string>
#include <utility>

namespace slice {
namespace {

using Answer = std::shared_ptr<const LinkAnswer>;

template <typename T>
void AppendBytes(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string Serialize(const ResultKey& key) {
  std::string bytes;
  bytes.reserve(64);
  AppendBytes(key.graph_version, bytes);
  AppendBytes(key.link.source, bytes);
  AppendBytes(key.link.relation, bytes);
  AppendBytes(key.link.target, bytes);
  AppendBytes(key.explanation_level, bytes);
  AppendBytes(key.scorer, bytes);
  AppendBytes(key.prior, bytes);
  bytes.append(key.bundle_id);  // last, as its length varies
  return bytes;
}

void Delete(const rocksdb::Slice& /*key*/, void* value) {
  delete static_cast<Answer*>(value);
}

template <typename Vector>
size_t BytesOf(const Vector& vector) {
  return vector.capacity() * sizeof(typename Vector::value_type);
}

}  // namespace

ResultCache::ResultCache(size_t max_bytes)
    : cache_(max_bytes == 0 ? nullptr : rocksdb::NewLRUCache(max_bytes)) {}

ResultCache::~ResultCache() = default;

Answer ResultCache::Find(const ResultKey& key) const {
  if (!enabled()) return nullptr;
  rocksdb::Cache::Handle* const handle = cache_->Lookup(Serialize(key));
  if (handle == nullptr) return nullptr;
  Answer answer = *static_cast<const Answer*>(cache_->Value(handle));
  cache_->Release(handle);
  return answer;
}

void ResultCache::Insert(const ResultKey& key, Answer answer) {
  if (!enabled()) return;
  const size_t bytes = MemoryBytes(*answer) + sizeof(Answer);
  auto value = std::make_unique<Answer>(std::move(answer));
  // The cache drops an answer that is too large. It reports an error then only
  // to a caller that passes a handle.
  if (cache_->Insert(Serialize(key), value.get(), bytes, &Delete).ok()) {
    static_cast<void>(value.release());
  }
}

size_t ResultCache::bytes() const { return enabled() ? cache_->GetUsage() : 0; }

size_t MemoryBytes(const LinkAnswer& answer) {
  size_t bytes = sizeof(answer) + BytesOf(answer.encoded.contexts) +
                 BytesOf(answer.encoded.pair_features) +
                 BytesOf(answer.attention.weights) +
                 BytesOf(answer.contributions) + BytesOf(answer.token_effects) +
                 BytesOf(answer.evidence.items) +
                 BytesOf(answer.evidence.effects.effects);
  for (const AnsweredContext& context : answer.contexts) {
    bytes += sizeof(context) + BytesOf(context.attention.weights);
  }
  for (const ContextSubgraph& context : answer.encoded.contexts) {
    bytes += BytesOf(context.tokens) + BytesOf(context.edges);
    for (const ContextToken& token : context.tokens) {
      bytes += BytesOf(token.path);
    }
  }
  return bytes;
}

}  // namespace slice
