// A contextual translation layer of the native network. Internal to model/.
#ifndef SLICE_MODEL_NATIVE_NATIVE_LAYER_H_
#define SLICE_MODEL_NATIVE_NATIVE_LAYER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/context_batch.h"
#include "model/native/chunk_state.h"
#include "model/native/layer_norm.h"
#include "model/native/packed_matrix.h"
#include "model/network_options.h"
#include "model/network_weights.h"
#include "model/semantic_association_matrix.h"

namespace slice {

// Immutable after construction; thread-safe.
class NativeLayer {
 public:
  NativeLayer(const NetworkWeights& weights, const NetworkOptions& options,
              int layer, WeightFormat format);
  // Replaces state.x, the input H^index of layer `index`, by the output
  // H^(index + 1) of the layer. Unless `attention` [batch rows] is null, copies
  // the attention weights of this layer to it, for the rows of the chunk.
  void Run(ChunkState& state, size_t index,
           std::vector<SemanticAssociationMatrix>* attention) const;

 private:
  void AttendAll(ChunkState& state, size_t index,
                 std::vector<SemanticAssociationMatrix>* attention) const;
  void FillBias(const ContextBatch& batch, int64_t row, float* scores) const;
  // Translate adds to state.x what attention makes of the rows `from`;
  // FeedForward adds what the feed-forward block makes of them.
  void Translate(ChunkState& state, const float* from, size_t index,
                 std::vector<SemanticAssociationMatrix>* attention) const;
  void FeedForward(ChunkState& state, const float* from) const;

  bool pre_norm_;
  size_t heads_, head_dim_, attended_stride_;
  int64_t relations_;
  PackedMatrix projections_;  // query (scaled), key and value side by side
  PackedMatrix out_, feed_forward1_, feed_forward2_;
  LayerNorm norm1_, norm2_;
  std::vector<float> edge_bias_;  // [heads, 2 relations + 1]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_LAYER_H_
