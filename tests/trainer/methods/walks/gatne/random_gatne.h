// A small model of GATNE-T with random numbers, and the vectors of its nodes by
// their definition.
#ifndef SLICE_TESTS_TRAINER_METHODS_WALKS_GATNE_RANDOM_GATNE_H_
#define SLICE_TESTS_TRAINER_METHODS_WALKS_GATNE_RANDOM_GATNE_H_

#include <cmath>
#include <cstddef>
#include <vector>

#include "trainer/methods/walks/gatne/gatne_network.h"
#include "trainer/methods/walks/gatne/gatne_skip_gram.h"
#include "trainer/methods/walks/gatne/layered_graph.h"
#include "trainer/methods/walks/walk_method.h"

namespace slice {

inline GatneModel RandomGatne(const LayeredGraph& graph) {
  GatneModel model;
  model.dim = 5;
  model.edge_dim = 3;
  model.attention = 4;
  model.alpha = 1.5f;
  const size_t nodes = graph.node_count(), relations = graph.relation_count();
  model.base = RandomTable(nodes * model.dim, 1, 1);
  model.edges = RandomTable(graph.layer_node_count() * model.edge_dim, 1, 2);
  model.lift = RandomTable(relations * model.edge_dim * model.dim, 1, 3);
  model.inner = RandomTable(relations * model.edge_dim * model.attention, 1, 4);
  model.outer = RandomTable(relations * model.attention, 1, 5);
  model.contexts = RandomTable(nodes * model.dim, 1, 6);
  return model;
}

// The edge vectors of a node, one for each of its layers.
inline std::vector<std::vector<double>> EdgesByHand(const GatneModel& model,
                                                    const GatneSources& sources,
                                                    NodeId node) {
  const LayeredGraph& graph = *sources.graph;
  std::vector<std::vector<double>> edges;
  for (LayerNode i = graph.FirstOf(node); i < graph.FirstOf(node + 1); ++i) {
    const auto neighbors = sources.neighbors->Of(i);
    std::vector<double> edge(model.edge_dim);
    for (const LayerNode neighbor : neighbors) {
      for (size_t k = 0; k < model.edge_dim; ++k) {
        edge[k] +=
            static_cast<double>(model.edges[neighbor * model.edge_dim + k]) /
            static_cast<double>(neighbors.size());
      }
    }
    edges.push_back(edge);
  }
  return edges;
}

// v_ir by the formulas of trainer/methods/walks/gatne/gatne_network.h.
inline std::vector<double> VectorByHand(
    const GatneModel& model, NodeId node, RelationId relation,
    const std::vector<std::vector<double>>& edges) {
  const size_t s = model.edge_dim, a = model.attention;
  std::vector<double> shares;
  double total = 0;
  for (const std::vector<double>& edge : edges) {
    double logit = 0;
    for (size_t j = 0; j < a; ++j) {
      double sum = 0;
      for (size_t k = 0; k < s; ++k) {
        sum += model.inner[(relation * s + k) * a + j] * edge[k];
      }
      logit += model.outer[relation * a + j] * std::tanh(sum);
    }
    shares.push_back(std::exp(logit));
    total += shares.back();
  }
  std::vector<double> x(model.dim);
  double square = 0;
  for (size_t d = 0; d < model.dim; ++d) {
    x[d] = model.base[node * model.dim + d];
    for (size_t p = 0; p < edges.size(); ++p) {
      for (size_t k = 0; k < s; ++k) {
        x[d] += model.alpha * model.lift[(relation * s + k) * model.dim + d] *
                shares[p] / total * edges[p][k];
      }
    }
    square += x[d] * x[d];
  }
  for (double& value : x) value /= std::sqrt(square);
  return x;
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_METHODS_WALKS_GATNE_RANDOM_GATNE_H_
