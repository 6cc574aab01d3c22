// The vectors of GATNE-T (Cen et al., KDD 2019, section 4.1): a node has one
// for each relation, made of a vector that all its relations share and of what
// its neighbours by each relation say.
//
// With U_i the edge vectors of node i, one row u_ip for each relation p that
// links i to another node, the vector of i for relation r is
//   a_ir = softmax over p of w_r . tanh(W_r^T u_ip)
//   x_ir = b_i + alpha M_r^T (sum over p of a_irp u_ip)
// and, as in the program of the paper's authors, v_ir = x_ir / |x_ir|. u_ip is
// the mean of the initial edge vectors of its neighbours by p (one level of
// aggregation, by the mean).
//
// In the paper each node has all relations. Here relations that a node lacks
// take no part in the softmax: they say nothing about the node, and with
// hundreds of relations there would be hundreds of such rows. r itself may be
// such a relation. If the node has none at all, x_ir is b_i.
#ifndef SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_NETWORK_H_
#define SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_NETWORK_H_

#include <array>
#include <cstddef>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// What is learnt, and its shape.
struct GatneModel {
  size_t dim = 0;        // of the vectors of nodes
  size_t edge_dim = 0;   // of edge vectors
  size_t attention = 0;  // rows of W_r^T
  float alpha = 1;

  std::vector<float> base;      // b, [nodes, dim]
  std::vector<float> edges;     // initial edge vectors, [layer nodes, edge_dim]
  std::vector<float> lift;      // M, [relations, edge_dim, dim]
  std::vector<float> inner;     // W, [relations, edge_dim, attention]
  std::vector<float> outer;     // w, [relations, attention]
  std::vector<float> contexts;  // c of gatne_skip_gram.h, [nodes, dim]
};

// The tables of a model.
inline std::array<std::vector<float>*, 6> TablesOf(GatneModel& model) {
  return {&model.base,  &model.edges, &model.lift,
          &model.inner, &model.outer, &model.contexts};
}

// A node seen by a relation.
struct GatneNode {
  NodeId node = 0;
  RelationId relation = 0;
  const float* edges = nullptr;  // U_i, [layers, edge_dim]
  size_t layers = 0;
};

// The vector of such a node, and what its gradient needs. EmbedNode() fills it.
struct GatneState {
  std::vector<float> tanhs;   // tanh(W_r^T u_ip), [layers, attention]
  std::vector<float> shares;  // a_ir, [layers]
  std::vector<float> mixed;   // the sum over p of a_irp u_ip, [edge_dim]
  std::vector<float> vector;  // v_ir, [dim]
  float length = 1;           // by which x_ir was divided
};

void EmbedNode(const GatneModel& model, const GatneNode& node,
               GatneState& state);

// The gradient of a loss by the matrices of one relation.
struct RelationGradient {
  explicit RelationGradient(const GatneModel& model)
      : lift(model.edge_dim * model.dim),
        inner(model.edge_dim * model.attention),
        outer(model.attention) {}

  std::vector<float> lift, inner, outer;
};

// Where the gradient of a node goes.
struct NodeGradient {
  float* base = nullptr;   // [dim]; by b_i
  float* edges = nullptr;  // [layers, edge_dim]; by U_i
  RelationGradient* relation = nullptr;
};

// Passes the gradient of a loss by v_ir, `slope` [dim], on to what v_ir was
// made of. Overwrites gradient.base and gradient.edges, and adds to
// gradient.relation. REQUIRES: EmbedNode() made `state`.
void DifferentiateNode(const GatneModel& model, const GatneNode& node,
                       const GatneState& state, const float* slope,
                       const NodeGradient& gradient);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_NETWORK_H_
