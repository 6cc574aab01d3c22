// One layer over the packed tokens of a chunk:
//   1. Project every token to query, key and value, in one product.
//   2. Attend within each context; the scores start as the bias of the relation
//      that links two tokens.
//   3. Project what each token received and add it to the token.
//   4. Run the feed-forward block and add its output to the token.
// Layer norms come before steps 1 and 4 (pre-norm) or after steps 3 and 4. A
// matrix product runs over the tokens of all contexts of the chunk together;
// only attention works on one context at a time.
#include "model/native/native_layer.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "common/vectors.h"
#include "model/native/native_kernels.h"
#include "model/native/weight_layout.h"

namespace slice {
namespace {

void Append(const std::vector<float>& values, float factor,
            std::vector<float>& to) {
  for (const float value : values) to.push_back(factor * value);
}

}  // namespace

NativeLayer::NativeLayer(const NetworkWeights& weights,
                         const NetworkOptions& options, int layer,
                         WeightFormat format)
    : pre_norm_(options.pre_norm),
      heads_(static_cast<size_t>(options.heads)),
      head_dim_(static_cast<size_t>(options.head_dim)),
      attended_stride_(RoundUp(heads_ * head_dim_, kRowPadding) + kRowPadding),
      relations_(options.relation_count) {
  const std::string prefix = absl::StrCat("layer_", layer, "_");
  const auto values = [&](const char* name) -> const std::vector<float>& {
    return weights.Get(prefix + name).values;
  };
  const float scale = 1 / std::sqrt(static_cast<float>(head_dim_));
  const size_t attended = heads_ * head_dim_;
  std::vector<float> all, biases;
  Append(values("query_weight"), scale, all);
  Append(values("key_weight"), 1, all);
  Append(values("value_weight"), 1, all);
  Append(values("query_bias"), scale, biases);
  biases.resize(2 * attended);  // keys have no bias
  Append(values("value_bias"), 1, biases);
  projections_ = PackedMatrix(all, biases, 3 * attended,
                              static_cast<size_t>(options.hidden_dim), format);
  out_ = PackLinear(weights, prefix + "out_", "", format);
  feed_forward1_ = PackLinear(weights, prefix + "ff1_", "", format);
  feed_forward2_ = PackLinear(weights, prefix + "ff2_", "", format);
  norm1_ = LayerNorm(weights, prefix + "norm1", out_.width());
  norm2_ = LayerNorm(weights, prefix + "norm2", out_.width());
  const std::vector<float>& bias = values("edge_bias");
  for (size_t head = 0; head < heads_; ++head) {
    for (size_t at = head; at < bias.size(); at += heads_) {
      edge_bias_.push_back(bias[at]);
    }
  }
}

void NativeLayer::Run(ChunkState& state, size_t index,
                      std::vector<SemanticAssociationMatrix>* attention) const {
  float* x = state.x.data();
  if (!pre_norm_) {
    Translate(state, x, index, attention);
    norm1_.Run(x, state.tokens, x);
    FeedForward(state, x);
    norm2_.Run(x, state.tokens, x);
    return;
  }
  state.normal.resize(state.tokens * out_.width());
  norm1_.Run(x, state.tokens, state.normal.data());
  Translate(state, state.normal.data(), index, attention);
  norm2_.Run(x, state.tokens, state.normal.data());
  FeedForward(state, state.normal.data());
}

void NativeLayer::Translate(
    ChunkState& state, const float* from, size_t index,
    std::vector<SemanticAssociationMatrix>* attention) const {
  // The kernels read and write up to kRowPadding floats behind the last row.
  state.parts.resize(state.tokens * projections_.width() + kRowPadding);
  projections_.Multiply({from, out_.width(), state.tokens},
                        {state.parts.data(), projections_.width()});
  state.hidden.resize(state.tokens * attended_stride_ + kRowPadding);
  AttendAll(state, index, attention);
  out_.MultiplyAdd({state.hidden.data(), attended_stride_, state.tokens},
                   {state.x.data(), out_.width()});
}

void NativeLayer::FeedForward(ChunkState& state, const float* from) const {
  const size_t width = feed_forward1_.width();
  state.hidden.resize(state.tokens * width);
  feed_forward1_.Multiply({from, out_.width(), state.tokens},
                          {state.hidden.data(), width});
  ApplyGelu(state.hidden.data(), state.tokens * width);
  feed_forward2_.MultiplyAdd({state.hidden.data(), width, state.tokens},
                             {state.x.data(), out_.width()});
}

// Writes the bias of each pair of tokens, by the relation that links them, to
// `scores` [heads, tokens, RoundUp(tokens, kRowPadding)].
void NativeLayer::FillBias(const ContextBatch& batch, int64_t row,
                           float* scores) const {
  const int64_t tokens = batch.row_tokens[row];
  const auto width =
      static_cast<int64_t>(RoundUp(static_cast<size_t>(tokens), kRowPadding));
  for (size_t head = 0; head < heads_; ++head) {
    const float* bias = edge_bias_.data() +
                        static_cast<int64_t>(head) * (2 * relations_ + 1) +
                        relations_;
    for (int64_t i = 0; i < tokens; ++i, scores += width) {
      const int64_t* relations =
          batch.pair_relations.data() + (row * batch.tokens + i) * batch.tokens;
      for (int64_t j = 0; j < tokens; ++j) scores[j] = bias[relations[j]];
      std::fill(scores + tokens, scores + width, 0.0f);
    }
  }
}

void NativeLayer::AttendAll(
    ChunkState& state, size_t index,
    std::vector<SemanticAssociationMatrix>* attention) const {
  const ContextBatch& batch = *state.batch;
  Attention context;
  context.heads = heads_;
  context.head_dim = head_dim_;
  context.stride = projections_.width();
  context.to_stride = attended_stride_;
  size_t first = 0;
  for (int64_t row = state.begin; row < state.end; ++row) {
    context.tokens = static_cast<size_t>(batch.row_tokens[row]);
    const size_t width = RoundUp(context.tokens, kRowPadding);
    state.scores.resize(heads_ * context.tokens * width);
    state.keys_across.resize(head_dim_ * width);
    FillBias(batch, row, state.scores.data());
    context.query = state.parts.data() + first * context.stride;
    context.key = context.query + heads_ * head_dim_;
    context.value = context.key + heads_ * head_dim_;
    context.scores = state.scores.data();
    context.keys_across = state.keys_across.data();
    context.to = state.hidden.data() + first * attended_stride_;
    Attend(context);
    first += context.tokens;
    if (attention == nullptr) continue;
    float* to = (*attention)[row].weights.data() +
                index * heads_ * context.tokens * context.tokens;
    for (size_t i = 0; i < heads_ * context.tokens; ++i) {
      to = std::copy_n(state.scores.data() + i * width, context.tokens, to);
    }
  }
}

}  // namespace slice
