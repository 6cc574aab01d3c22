// The three scorers of the native network, from the encoder's tokens to logits.
// Internal to model/.
#ifndef SLICE_MODEL_NATIVE_NATIVE_SCORERS_H_
#define SLICE_MODEL_NATIVE_NATIVE_SCORERS_H_

#include <cstddef>
#include <cstdint>

#include "model/native/native_layer.h"
#include "model/native/native_perceptron.h"
#include "model/native/packed_matrix.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

// Constant once made; thread-safe. In any format the structural scorer and the
// last layers, which write logits, are float32: that costs next to nothing, and
// a link's structural logits are the same wherever they are asked for.
class NativeScorers {
 public:
  // Rows of tokens stand `token_width` floats apart (TokenEmbedding::width).
  NativeScorers(const NetworkWeights& weights, const NetworkOptions& options,
                size_t token_width, WeightFormat format);

  // Before the layers, after layer `index`, and at the end: logits
  // [rows of the chunk, kScorers * kQuestions].
  void SeeTokens(ChunkState& state) const;
  void SeeLayer(ChunkState& state, size_t index) const;
  void Score(ChunkState& state, float* logits) const;

  // Of pair features [rows, pair_features]: kQuestions logits at every
  // `logit_stride` floats; zeros where the network has no structural scorer.
  void Structural(const int64_t* relations, const float* pair_features,
                  size_t rows, float* logits, size_t logit_stride) const;
  // The same of links of one relation: features that are the same in all rows
  // are multiplied once.
  void StructuralOfRelation(int64_t relation, const float* pair_features,
                            size_t rows, float* logits) const;

 private:
  void StructuralRest(AlignedVector<float>& first, size_t rows, float* logits,
                      size_t logit_stride) const;
  size_t LayersRead() const;
  void KeepEnds(const ChunkState& state, size_t stride, size_t at,
                AlignedVector<float>& to) const;
  void ScorePair(ChunkState& state, float* logits) const;
  void ScoreDot(ChunkState& state, float* logits) const;

  const NetworkOptions options_;
  const size_t dim_;    // hidden_dim
  const size_t width_;  // floats between rows of tokens
  RelationLayer structural1_, head1_, ends1_;
  PackedMatrix structural2_;
  LogitLayer structural3_, head2_, ends2_;
  LayerNorm structural_norm_;
  PackedMatrix project1_, project2_;  // of kDot
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_SCORERS_H_
