// A batch is cut into chunks of whole contexts, small enough that the
// activations of a chunk stay in the second-level cache. Each chunk goes
// through the whole network before the next one starts:
//   1. TokenEmbedding writes the tokens of the chunk, without padding.
//   2. NativeLayer runs once per layer. Before the first layer and after each
//      layer, NativeScorers copies the tokens that it will read in step 3.
//   3. NativeScorers turns the tokens into logits.
// The working memory (ChunkState) belongs to the thread and never shrinks.
#include "model/native/native_forward.h"

#include <algorithm>
#include <vector>

#include "model/native/chunk_state.h"
#include "model/native/end_cosines.h"
#include "model/native/layer_norm.h"
#include "model/native/native_layer.h"
#include "model/native/native_scorers.h"
#include "model/native/packed_matrix.h"
#include "model/native/token_embedding.h"

namespace slice {
namespace {

// The most tokens of a chunk, and the most rows of structural scores at once.
// At these sizes the activations stay in the second-level cache beside the
// weights.
constexpr int64_t kTokensAtOnce = 192;
constexpr size_t kStructuralRows = 192;

// Rows [begin, end) of a batch, with `tokens` tokens in all.
struct Chunk {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t tokens = 0;
};

// The chunk that begins at row `begin`: whole contexts up to kTokensAtOnce
// tokens, at least one context.
Chunk NextChunk(const ContextBatch& batch, int64_t begin) {
  Chunk chunk = {begin, begin, 0};
  while (chunk.end < batch.rows &&
         (chunk.end == begin ||
          chunk.tokens + batch.row_tokens[chunk.end] <= kTokensAtOnce)) {
    chunk.tokens += batch.row_tokens[chunk.end++];
  }
  return chunk;
}

class NativeForward final : public ForwardPass {
 public:
  NativeForward(const NetworkWeights& weights, const NetworkOptions& options,
                const float* embeddings, WeightFormat format)
      : options_(options),
        format_(format),
        tokens_(weights, options, embeddings, format),
        scorers_(weights, options, tokens_.width(), format) {
    for (int layer = 0; layer < options.layers; ++layer) {
      layers_.emplace_back(weights, options, layer, format);
    }
    if (options.pre_norm) {
      final_norm_ = LayerNorm(weights, "final_norm", tokens_.width());
    }
  }

  ForwardPath path() const override {
    return format_ == WeightFormat::kFloat32 ? ForwardPath::kNative
                                             : ForwardPath::kNativeBfloat16;
  }

  absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                     bool with_attention) const override {
    ForwardOutputs outputs;
    outputs.logits.resize(batch.rows * kScorers * kQuestions);
    if (with_attention) outputs.attention = EmptyAttention(batch);
    for (Chunk chunk; chunk.end < batch.rows;) {
      chunk = NextChunk(batch, chunk.end);
      RunChunk(batch, chunk, outputs);
    }
    return outputs;
  }

  absl::StatusOr<std::vector<float>> RunStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override {
    const size_t rows =
        feature_count == 0 ? 0 : pair_features.size() / feature_count;
    std::vector<float> logits(rows * kQuestions);
    for (size_t begin = 0; begin < rows; begin += kStructuralRows) {
      const size_t count = std::min(kStructuralRows, rows - begin);
      scorers_.StructuralOfRelation(
          relation, pair_features.data() + begin * feature_count, count,
          logits.data() + begin * kQuestions);
    }
    return logits;
  }

 private:
  std::vector<SemanticAssociationMatrix> EmptyAttention(
      const ContextBatch& batch) const {
    std::vector<SemanticAssociationMatrix> matrices(batch.rows);
    for (int64_t row = 0; row < batch.rows; ++row) {
      SemanticAssociationMatrix& matrix = matrices[row];
      matrix.layers = options_.layers;
      matrix.heads = options_.heads;
      matrix.tokens = static_cast<int>(batch.row_tokens[row]);
      matrix.weights.resize(static_cast<size_t>(matrix.layers) * matrix.heads *
                            matrix.tokens * matrix.tokens);
      matrix.cosines.resize((static_cast<size_t>(matrix.layers) + 1) *
                            CosinesOf(matrix));
    }
    return matrices;
  }

  void RunChunk(const ContextBatch& batch, const Chunk& chunk,
                ForwardOutputs& outputs) const {
    thread_local ChunkState state;  // buffers grow once per thread
    state.batch = &batch;
    state.begin = chunk.begin;
    state.end = chunk.end;
    state.tokens = static_cast<size_t>(chunk.tokens);
    tokens_.Embed(state);
    scorers_.KeepTokens(state);
    KeepCosines(state, 0, outputs.attention);
    for (size_t i = 0; i < layers_.size(); ++i) {
      layers_[i].Run(state, i,
                     outputs.attention.empty() ? nullptr : &outputs.attention);
      scorers_.KeepLayer(state, i);
      KeepCosines(state, i + 1, outputs.attention);
    }
    if (options_.pre_norm && !layers_.empty()) {
      final_norm_.Run(state.x.data(), state.tokens, state.x.data());
    }
    scorers_.Score(state,
                   outputs.logits.data() + chunk.begin * kScorers * kQuestions);
  }

  // How many cosines a layer of one context has.
  static size_t CosinesOf(const SemanticAssociationMatrix& matrix) {
    return static_cast<size_t>(matrix.tokens) * 2;
  }

  // Writes the cosines of H^index, unless `matrices` is empty.
  void KeepCosines(const ChunkState& state, size_t index,
                   std::vector<SemanticAssociationMatrix>& matrices) const {
    if (matrices.empty()) return;
    const float* first = state.x.data();
    for (int64_t row = state.begin; row < state.end; ++row) {
      SemanticAssociationMatrix& matrix = matrices[row];
      const auto tokens = static_cast<size_t>(matrix.tokens);
      EndCosines({first, tokens_.width(), tokens},
                 static_cast<size_t>(options_.hidden_dim),
                 matrix.cosines.data() + index * CosinesOf(matrix));
      first += tokens * tokens_.width();
    }
  }

  const NetworkOptions options_;
  const WeightFormat format_;
  const TokenEmbedding tokens_;
  const NativeScorers scorers_;
  std::vector<NativeLayer> layers_;
  LayerNorm final_norm_;
};

}  // namespace

std::unique_ptr<ForwardPass> MakeNativeForward(const NetworkWeights& weights,
                                               const NetworkOptions& options,
                                               const float* embeddings,
                                               WeightFormat format) {
  return std::make_unique<NativeForward>(weights, options, embeddings, format);
}

}  // namespace slice
