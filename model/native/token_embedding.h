// The first step of the native network: token embeddings.
#ifndef SLICE_MODEL_NATIVE_TOKEN_EMBEDDING_H_
#define SLICE_MODEL_NATIVE_TOKEN_EMBEDDING_H_

#include <cstddef>
#include <cstdint>

#include "model/context_batch.h"
#include "model/native/aligned_vector.h"
#include "model/native/chunk_state.h"
#include "model/native/packed_matrix.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

// Computes the token embeddings, H^0 of model/torch/network_definition.cc.
// Immutable after construction; thread-safe.
class TokenEmbedding {
 public:
  // `embeddings` [nodes, options.embedding_dim] must outlive this object.
  TokenEmbedding(const NetworkWeights& weights, const NetworkOptions& options,
                 const float* embeddings, WeightFormat format);
  // The stride of state.x: floats from the start of a token to the next token.
  size_t width() const { return matrix_.width(); }
  // Writes the token embeddings of the chunk to state.x.
  void Embed(ChunkState& state) const;

 private:
  void Gather(const ContextBatch& batch, int64_t cell, float* to) const;
  void Prefetch(const ContextBatch& batch, int64_t row) const;
  void AddTables(const ContextBatch& batch, int64_t row, int64_t cell,
                 float* x) const;

  size_t embedding_dim_;
  int64_t relations_;
  const float* embeddings_;
  PackedMatrix matrix_;  // of [h(node), token features]
  // Tables [rows, width]. kind_roles_ has a row for each kind and role;
  // token_relations_ has one for each of a token's three relations and each
  // signed relation; scale_ (1 + scale) and shift_ have one for each queried
  // relation.
  AlignedVector<float> kind_roles_, token_relations_, scale_, shift_;
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_TOKEN_EMBEDDING_H_
