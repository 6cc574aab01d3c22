// A token embedding is (W [h(node), features] + b + kind + role + relations)
// * (1 + scale) + shift, in four steps over a chunk:
//   1. Gather h(node) and the features of every token in one matrix.
//   2. Multiply it with W and add b.
//   3. Add four rows of small tables: one for the kind and role, and one for
//      each of the token's three relations.
//   4. Scale and shift by the queried relation, in the same pass as step 3.
#include "model/native/token_embedding.h"

#include <algorithm>
#include <string>
#include <vector>

#include "common/prefetch.h"
#include "context/context_subgraph.h"
#include "model/native/native_kernels.h"
#include "model/native/weight_layout.h"

namespace slice {
namespace {

// Puts two weights [out, a] and [out, b] side by side: [out, a + b].
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

}  // namespace

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

// Writes [h(node), features] of one token to `to` [matrix_.in()].
void TokenEmbedding::Gather(const ContextBatch& batch, int64_t cell,
                            float* to) const {
  const int64_t node = batch.nodes[cell];
  const auto dim = static_cast<int64_t>(embedding_dim_);
  if (node == -1) {
    std::fill_n(to, dim, 0.0f);
  } else {
    std::copy_n(node >= 0 ? embeddings_ + node * dim
                          : batch.unknown_embeddings.data() + (-2 - node) * dim,
                dim, to);
  }
  std::copy_n(batch.token_features.data() + cell * kTokenFeatureCount,
              kTokenFeatureCount, to + embedding_dim_);
}

// Prefetches the global embeddings of a row's nodes, which are rarely in a
// cache.
void TokenEmbedding::Prefetch(const ContextBatch& batch, int64_t row) const {
  constexpr size_t kLineFloats = 16;
  for (int64_t i = 0; i < batch.row_tokens[row]; ++i) {
    const int64_t node = batch.nodes[row * batch.tokens + i];
    if (node < 0) continue;
    const float* embedding =
        embeddings_ + node * static_cast<int64_t>(embedding_dim_);
    for (size_t k = 0; k < embedding_dim_; k += kLineFloats) {
      PrefetchToRead(embedding + k);
    }
  }
}

// Steps 3 and 4 for the token at `cell` of the batch [rows, tokens], which is
// in `row`. `x` is its row of state.x.
void TokenEmbedding::AddTables(const ContextBatch& batch, int64_t row,
                               int64_t cell, float* x) const {
  const auto stride = static_cast<int64_t>(width());
  const auto relation_row = [&](int64_t place) {
    const int64_t signed_relation = batch.token_relations[cell * 3 + place];
    const int64_t at =
        place * (2 * relations_ + 1) + relations_ + signed_relation;
    return token_relations_.data() + at * stride;
  };
  const int64_t kind_role = batch.kinds[cell] * kTokenRoles + batch.roles[cell];
  const int64_t relation = batch.relation[row];
  AddTokenRows({kind_roles_.data() + kind_role * stride, relation_row(0),
                relation_row(1), relation_row(2)},
               scale_.data() + relation * stride,
               shift_.data() + relation * stride, width(), x);
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
  matrix_.Multiply({state.hidden.data(), in, state.tokens},
                   {state.x.data(), width()});
  float* x = state.x.data();
  for (int64_t row = state.begin; row < state.end; ++row) {
    for (int64_t i = 0; i < batch.row_tokens[row]; ++i, x += width()) {
      AddTables(batch, row, row * batch.tokens + i, x);
    }
  }
}

}  // namespace slice
