// The encoder of the native network: token embeddings and the contextual
// translation layers over a chunk of contexts. Internal to model/.
#ifndef SLICE_MODEL_NATIVE_NATIVE_LAYER_H_
#define SLICE_MODEL_NATIVE_NATIVE_LAYER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/context_batch.h"
#include "model/native/aligned_vector.h"
#include "model/native/native_perceptron.h"
#include "model/native/packed_matrix.h"
#include "model/network_options.h"
#include "model/network_weights.h"
#include "model/prediction.h"

namespace slice {

// Rows [begin, end) of a batch on their way through the network, their tokens
// packed one after the other. One per thread, used again and again.
struct ChunkState {
  const ContextBatch* batch = nullptr;
  int64_t begin = 0;
  int64_t end = 0;
  size_t tokens = 0;

  AlignedVector<float> x;  // [tokens, width of hidden_dim]
  AlignedVector<float> normal, parts, hidden, scores, keys_across;  // scratch
  // What the scorers keep of the source and target tokens of each row.
  AlignedVector<float> ends, readout;
};

// Constant once made; thread-safe, as are those below.
class LayerNorm {
 public:
  LayerNorm() = default;
  // Of `<name>_weight` and `<name>_bias`, over rows `stride` floats apart.
  LayerNorm(const NetworkWeights& weights, const std::string& name,
            size_t stride);
  void Run(const float* from, size_t rows, float* to) const;

 private:
  size_t size_ = 0;
  size_t stride_ = 0;
  AlignedVector<float> gain_, shift_;  // [stride]
};

// state.x = H^0, the token embeddings.
class TokenEmbedding {
 public:
  TokenEmbedding(const NetworkWeights& weights, const NetworkOptions& options,
                 const float* embeddings, WeightFormat format);
  size_t width() const { return matrix_.width(); }
  void Embed(ChunkState& state) const;

 private:
  void Gather(const ContextBatch& batch, int64_t cell, float* to) const;
  void Prefetch(const ContextBatch& batch, int64_t row) const;

  size_t embedding_dim_;
  int64_t relations_;
  const float* embeddings_;
  PackedMatrix matrix_;  // of [h(node), token features]
  // [rows, width]: by kind and role; by place and signed relation; 1 + scale
  // and shift of the relation asked for.
  AlignedVector<float> kind_roles_, token_relations_, scale_, shift_;
};

// state.x = H^(i+1) of H^i: one contextual translation layer.
class NativeLayer {
 public:
  NativeLayer(const NetworkWeights& weights, const NetworkOptions& options,
              int layer, WeightFormat format);
  // Copies the semantic association matrices of layer `index` of the chunk's
  // rows to `attention` [batch rows], unless that is null.
  void Run(ChunkState& state, size_t index,
           std::vector<SemanticAssociationMatrix>* attention) const;

 private:
  void AttendAll(ChunkState& state, size_t index,
                 std::vector<SemanticAssociationMatrix>* attention) const;
  void FillBias(const ContextBatch& batch, int64_t row, float* scores) const;
  // state.x += what the layer adds to the rows `from`.
  void Translate(ChunkState& state, const float* from, size_t index,
                 std::vector<SemanticAssociationMatrix>* attention) const;
  void FeedForward(ChunkState& state, const float* from) const;

  bool pre_norm_;
  size_t heads_, head_dim_, attended_stride_;
  int64_t relations_;
  PackedMatrix projections_;  // query (scaled), key and value in a row
  PackedMatrix out_, feed_forward1_, feed_forward2_;
  LayerNorm norm1_, norm2_;
  std::vector<float> edge_bias_;  // [heads, 2 relations + 1]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_LAYER_H_
