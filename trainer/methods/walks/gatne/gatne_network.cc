#include "trainer/methods/walks/gatne/gatne_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/row_products.h"
#include "trainer/methods/walks/row_sums.h"
#include "trainer/methods/walks/take_softmax.h"

namespace slice {
namespace {

// 0, 1, … up to `count` - 1 at least.
const uint32_t* CountingIds(size_t count) {
  thread_local std::vector<uint32_t> ids;
  if (ids.size() < count) {
    ids.resize(count);
    std::iota(ids.begin(), ids.end(), 0u);
  }
  return ids.data();
}

// products[i] = <row, rows[i]>, for `count` rows of `width` numbers.
void MultiplyAll(const float* row, const float* rows, size_t width,
                 size_t count, float* products) {
  MultiplyRows({row, rows, width, CountingIds(count), count, products});
}

float Dot(const float* a, const float* b, size_t width) {
  float product = 0;
  MultiplyAll(a, b, width, 1, &product);
  return product;
}

const float* InnerOf(const GatneModel& model, RelationId relation) {
  return &model.inner[relation * model.edge_dim * model.attention];
}
const float* OuterOf(const GatneModel& model, RelationId relation) {
  return &model.outer[relation * model.attention];
}
const float* LiftOf(const GatneModel& model, RelationId relation) {
  return &model.lift[relation * model.edge_dim * model.dim];
}

// The attention of `state`, and its mean of edge vectors.
void MixEdges(const GatneModel& model, const GatneNode& node,
              GatneState& state) {
  const size_t edge_dim = model.edge_dim, attention = model.attention;
  state.mixed.assign(edge_dim, 0);
  state.shares.resize(node.layers);
  state.tanhs.assign(node.layers * attention, 0);
  if (node.layers == 0) return;
  for (size_t p = 0; p < node.layers; ++p) {
    float* const tanhs = &state.tanhs[p * attention];
    AddRows({node.edges + p * edge_dim, nullptr, edge_dim,
             InnerOf(model, node.relation), attention, tanhs});
    for (size_t j = 0; j < attention; ++j) tanhs[j] = std::tanh(tanhs[j]);
  }
  MultiplyAll(OuterOf(model, node.relation), state.tanhs.data(), attention,
              node.layers, state.shares.data());
  TakeSoftmax(state.shares);
  AddRows({state.shares.data(), nullptr, node.layers, node.edges, edge_dim,
           state.mixed.data()});
}

// Replaces the gradient by v = x / |x| by that by x:
//   (slope - <slope, v> v) / |x|
void DifferentiateLength(const GatneState& state, float* slope) {
  const size_t dim = state.vector.size();
  const float along = Dot(slope, state.vector.data(), dim);
  for (size_t k = 0; k < dim; ++k) {
    slope[k] = (slope[k] - along * state.vector[k]) / state.length;
  }
}

// Passes the gradient by the mixed edge vectors on to the edge vectors and to
// W and w. With t_p = tanh(W^T u_p) and l_p = <w, t_p>,
//   by u_p: a_p mixed + W (by l_p) w (1 - t_p^2)
//   by l_p: a_p (<mixed, u_p> - sum over q of a_q <mixed, u_q>)
void DifferentiateAttention(const GatneModel& model, const GatneNode& node,
                            const GatneState& state, const float* mixed,
                            const NodeGradient& gradient) {
  const size_t edge_dim = model.edge_dim, attention = model.attention;
  thread_local std::vector<float> by_share, inner;
  by_share.resize(node.layers);
  inner.resize(attention);
  MultiplyAll(mixed, node.edges, edge_dim, node.layers, by_share.data());
  const float mean = std::inner_product(by_share.begin(), by_share.end(),
                                        state.shares.begin(), 0.0f);
  for (size_t p = 0; p < node.layers; ++p) {
    const float logit = state.shares[p] * (by_share[p] - mean);
    const float* const tanhs = &state.tanhs[p * attention];
    const float* const outer = OuterOf(model, node.relation);
    for (size_t j = 0; j < attention; ++j) {
      gradient.relation->outer[j] += logit * tanhs[j];
      inner[j] = logit * outer[j] * (1 - tanhs[j] * tanhs[j]);
    }
    AddOuterProduct({node.edges + p * edge_dim, edge_dim, inner.data(),
                     attention, gradient.relation->inner.data()});
    float* const edges = gradient.edges + p * edge_dim;
    MultiplyAll(inner.data(), InnerOf(model, node.relation), attention,
                edge_dim, edges);
    for (size_t k = 0; k < edge_dim; ++k) {
      edges[k] += state.shares[p] * mixed[k];
    }
  }
}

}  // namespace

void EmbedNode(const GatneModel& model, const GatneNode& node,
               GatneState& state) {
  MixEdges(model, node, state);
  const float* const base = &model.base[node.node * model.dim];
  state.vector.assign(model.dim, 0);
  AddRows({state.mixed.data(), nullptr, model.edge_dim,
           LiftOf(model, node.relation), model.dim, state.vector.data()});
  for (size_t k = 0; k < model.dim; ++k) {
    state.vector[k] = base[k] + model.alpha * state.vector[k];
  }
  const float square = Dot(state.vector.data(), state.vector.data(), model.dim);
  // A vector of zeros has no direction and stays.
  state.length = square > 0 ? std::sqrt(square) : 1;
  for (float& value : state.vector) value /= state.length;
}

void DifferentiateNode(const GatneModel& model, const GatneNode& node,
                       const GatneState& state, const float* slope,
                       const NodeGradient& gradient) {
  std::copy_n(slope, model.dim, gradient.base);
  DifferentiateLength(state, gradient.base);
  if (node.layers == 0) return;
  thread_local std::vector<float> mixed, scaled;
  mixed.resize(model.edge_dim);
  MultiplyAll(gradient.base, LiftOf(model, node.relation), model.dim,
              model.edge_dim, mixed.data());
  for (float& value : mixed) value *= model.alpha;
  scaled = state.mixed;
  for (float& value : scaled) value *= model.alpha;
  AddOuterProduct({scaled.data(), model.edge_dim, gradient.base, model.dim,
                   gradient.relation->lift.data()});
  DifferentiateAttention(model, node, state, mixed.data(), gradient);
}

}  // namespace slice
