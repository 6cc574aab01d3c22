#include "model/native/native_layer.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "common/vectors.h"
#include "context/context_subgraph.h"
#include "model/native/native_kernels.h"

namespace slice {
namespace {

// Of two weights [out, a] and [out, b]: [out, a + b].
std::vector<float> Beside(const NetworkWeight& a, const NetworkWeight& b) {
  std::vector<float> both;
  const auto out = static_cast<size_t>(a.shape[0]);
  const size_t width_a = a.values.size() / out, width_b = b.values.size() / out;
  for (size_t row = 0; row < out; ++row) {
    const float* of_a = a.values.data() + row * width_a;
    const float* of_b = b.values.data() + row * width_b;
    both.insert(both.end(), of_a, of_a + width_a);
    both.insert(both.end(), of_b, of_b + width_b);
  }
  return both;
}

void Append(const std::vector<float>& values, float factor,
            std::vector<float>& to) {
  for (const float value : values) to.push_back(factor * value);
}

}  // namespace

LayerNorm::LayerNorm(const NetworkWeights& weights, const std::string& name,
                     size_t stride)
    : size_(static_cast<size_t>(weights.Dim(name + "_weight", 0))),
      stride_(stride),
      gain_(PadRows(weights.Get(name + "_weight").values, size_, stride)),
      shift_(PadRows(weights.Get(name + "_bias").values, size_, stride)) {}

void LayerNorm::Run(const float* from, size_t rows, float* to) const {
  NormalizeRows(from, rows, size_, stride_, gain_.data(), shift_.data(), to);
}

TokenEmbedding::TokenEmbedding(const NetworkWeights& weights,
                               const NetworkOptions& options,
                               const float* embeddings, WeightFormat format)
    : embedding_dim_(static_cast<size_t>(options.embedding_dim)),
      relations_(options.relation_count),
      embeddings_(embeddings) {
  const auto dim = static_cast<size_t>(options.hidden_dim);
  matrix_ = PackedMatrix(
      Beside(weights.Get("embed_weight"), weights.Get("token_feature_weight")),
      weights.Get("embed_bias").values, dim,
      embedding_dim_ + kTokenFeatureCount, format);
  const auto padded = [&](const std::string& name) {
    return PadRows(weights.Get(name).values, dim, width());
  };
  const AlignedVector<float> kinds = padded("kind_embedding");
  const AlignedVector<float> roles = padded("role_embedding");
  for (size_t kind = 0; kind < kTokenKinds; ++kind) {
    for (size_t role = 0; role < kTokenRoles; ++role) {
      for (size_t i = 0; i < width(); ++i) {
        kind_roles_.push_back(kinds[kind * width() + i] +
                              roles[role * width() + i]);
      }
    }
  }
  token_relations_ = padded("token_relation_embedding");
  scale_ = padded("relation_scale");
  for (float& scale : scale_) scale += 1;
  shift_ = padded("relation_shift");
}

// What the matrix is multiplied with: [h(node), features] of one token.
void TokenEmbedding::Gather(const ContextBatch& batch, int64_t cell,
                            float* to) const {
  const int64_t node = batch.nodes[cell];
  if (node < 0) {
    std::fill_n(to, embedding_dim_, 0.0f);
  } else {
    std::copy_n(embeddings_ + node * static_cast<int64_t>(embedding_dim_),
                embedding_dim_, to);
  }
  std::copy_n(batch.token_features.data() + cell * kTokenFeatureCount,
              kTokenFeatureCount, to + embedding_dim_);
}

// Asks for the embeddings of a row, which may lie far from the processor.
void TokenEmbedding::Prefetch(const ContextBatch& batch, int64_t row) const {
  constexpr size_t kLineFloats = 16;
  for (int64_t i = 0; i < batch.row_tokens[row]; ++i) {
    const int64_t node = batch.nodes[row * batch.tokens + i];
    if (node < 0) continue;
    const float* embedding =
        embeddings_ + node * static_cast<int64_t>(embedding_dim_);
    for (size_t k = 0; k < embedding_dim_; k += kLineFloats) {
      __builtin_prefetch(embedding + k);
    }
  }
}

void TokenEmbedding::Embed(ChunkState& state) const {
  const ContextBatch& batch = *state.batch;
  const size_t in = matrix_.in();
  state.hidden.resize(state.tokens * in);
  float* gathered = state.hidden.data();
  for (int64_t row = state.begin; row < state.end; ++row) {
    if (row + 1 < state.end) Prefetch(batch, row + 1);
    for (int64_t i = 0; i < batch.row_tokens[row]; ++i, gathered += in) {
      Gather(batch, row * batch.tokens + i, gathered);
    }
  }
  state.x.resize(state.tokens * width());
  matrix_.Multiply(state.hidden.data(), in, state.tokens, state.x.data(),
                   width());
  float* x = state.x.data();
  for (int64_t row = state.begin; row < state.end; ++row) {
    const int64_t relation = batch.relation[row];
    for (int64_t i = 0; i < batch.row_tokens[row]; ++i, x += width()) {
      const int64_t cell = row * batch.tokens + i;
      const auto relation_row = [&](int64_t place) {
        const int64_t signed_relation = batch.token_relations[cell * 3 + place];
        const int64_t at =
            place * (2 * relations_ + 1) + relations_ + signed_relation;
        return token_relations_.data() + at * static_cast<int64_t>(width());
      };
      const int64_t kind_role =
          batch.kinds[cell] * kTokenRoles + batch.roles[cell];
      const auto stride = static_cast<int64_t>(width());
      AddTokenRows({kind_roles_.data() + kind_role * stride, relation_row(0),
                    relation_row(1), relation_row(2)},
                   scale_.data() + relation * stride,
                   shift_.data() + relation * stride, width(), x);
    }
  }
}

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
  biases.resize(2 * attended);  // keys have none
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
  // The kernels read or write up to a vector behind the last row.
  state.parts.resize(state.tokens * projections_.width() + kRowPadding);
  projections_.Multiply(from, out_.width(), state.tokens, state.parts.data(),
                        projections_.width());
  state.hidden.resize(state.tokens * attended_stride_ + kRowPadding);
  AttendAll(state, index, attention);
  out_.MultiplyAdd(state.hidden.data(), attended_stride_, state.tokens,
                   state.x.data(), out_.width());
}

void NativeLayer::FeedForward(ChunkState& state, const float* from) const {
  const size_t width = feed_forward1_.width();
  state.hidden.resize(state.tokens * width);
  feed_forward1_.Multiply(from, out_.width(), state.tokens, state.hidden.data(),
                          width);
  ApplyGelu(state.hidden.data(), state.tokens * width);
  feed_forward2_.MultiplyAdd(state.hidden.data(), width, state.tokens,
                             state.x.data(), out_.width());
}

// The bias of each pair of tokens by the relation that joins them: [heads,
// tokens, RoundUp(tokens, kRowPadding)].
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
