// The loss of GATNE-T on a batch of windows of walks, and its gradient.
//
// A window is a node i in the layer of a relation r, with the nodes around it
// on a walk in that layer. Skip-gram with negative sampling makes the vector
// v_ir (gatne_network.h) tell these from noise nodes (Cen et al., KDD 2019,
// section 4.3); s() is the logistic function:
//   - sum over context nodes j of log s(<c_j, v_ir>)
//   - sum over noise nodes n of log s(-<c_n, v_ir>)
#ifndef SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_SKIP_GRAM_H_
#define SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_SKIP_GRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trainer/methods/walks/gatne/gatne_network.h"
#include "trainer/methods/walks/gatne/layered_graph.h"
#include "trainer/methods/walks/walk_windows.h"

namespace slice {

// What the vectors of nodes are made of, beside the model.
struct GatneSources {
  const LayeredGraph* graph = nullptr;
  // Whose initial edge vectors make the edge vector of a layer node.
  const LayerRows* neighbors = nullptr;
};

// A part of a table: some of its rows, distinct.
struct TableGradient {
  std::vector<uint32_t> rows;
  std::vector<float> values;  // [rows, width of the table]
};

// Of the sum over the windows, by the rows in use.
struct GatneGradients {
  double loss = 0;
  TableGradient base, edges, lift, inner, outer, contexts;
};

// The gradients by the tables of TablesOf(), in the same order.
inline std::array<const TableGradient*, 6> PartsOf(
    const GatneGradients& gradients) {
  return {&gradients.base,  &gradients.edges, &gradients.lift,
          &gradients.inner, &gradients.outer, &gradients.contexts};
}

// The centres of `batch` are layer nodes, those of one relation together. Equal
// for any number of threads. REQUIRES: the batch has a window.
GatneGradients DifferentiateGatne(const GatneModel& model,
                                  const GatneSources& sources,
                                  const WalkWindows& batch, int threads);

// The edge vector of each layer node, [layer nodes, edge_dim]: the means of the
// initial edge vectors of its neighbours. The rows of one node are together, as
// GatneNode::edges takes them.
std::vector<float> EdgeVectors(const GatneModel& model,
                               const GatneSources& sources, int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_SKIP_GRAM_H_
