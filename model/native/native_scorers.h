// The three scorers of the native network, which turn the encoder's tokens into
// logits. Internal to model/.
#ifndef SLICE_MODEL_NATIVE_NATIVE_SCORERS_H_
#define SLICE_MODEL_NATIVE_NATIVE_SCORERS_H_

#include <cstddef>
#include <cstdint>

#include "model/native/aligned_vector.h"
#include "model/native/chunk_state.h"
#include "model/native/layer_norm.h"
#include "model/native/logit_layer.h"
#include "model/native/packed_matrix.h"
#include "model/native/relation_layer.h"
#include "model/native/strided_rows.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

// Immutable after construction; thread-safe. The structural scorer and the last
// layers, which write logits, have float32 weights in any format. That costs
// next to nothing, and the structural logits of a link are the same in both
// formats.
class NativeScorers {
 public:
  // Rows of tokens are `token_width` floats apart (TokenEmbedding::width).
  NativeScorers(const NetworkWeights& weights, const NetworkOptions& options,
                size_t token_width, WeightFormat format);

  // These copy the source and target tokens that Score will read. Call
  // KeepTokens before the first layer, and KeepLayer after each layer `index`.
  void KeepTokens(ChunkState& state) const;
  void KeepLayer(ChunkState& state, size_t index) const;
  // Writes the logits of all scorers to `logits` [rows of the chunk, kScorers *
  // kQuestions]. Call it after the last layer.
  void Score(ChunkState& state, float* logits) const;

  // Computes structural logits from `relations` [rows] and `pair_features`
  // [rows, pair features of the network], and writes kQuestions floats to each
  // row of `logits`. Writes zeros when the network has no structural scorer.
  void Structural(const int64_t* relations, const float* pair_features,
                  size_t rows, const OutputRows& logits) const;
  // Does the same for links of one relation and writes to `logits` [rows,
  // kQuestions]. Features that are equal in all rows are multiplied only once.
  void StructuralOfRelation(int64_t relation, const float* pair_features,
                            size_t rows, float* logits) const;

 private:
  void FinishStructural(AlignedVector<float>& first, size_t rows,
                        const OutputRows& logits) const;
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
  PackedMatrix project1_, project2_;  // of ScoreHead::kDot
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_SCORERS_H_
