// Computes the path sums between one node, the anchor, and all other nodes at
// once, by one sparse propagation from the anchor (docs/model.md,
// "Recommending"). The sums are those of context/path_sums.h; nothing is
// sampled.
#ifndef SLICE_CONTEXT_PATH_SUM_PROPAGATION_H_
#define SLICE_CONTEXT_PATH_SUM_PROPAGATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "context/end_question.h"
#include "context/path_sums.h"
#include "context/propagation_graph.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Thread-compatible; keeps its scratch memory (160 bytes per node) from one
// question to the next.
class PathSumPropagation {
 public:
  // `graph` must outlive it.
  explicit PathSumPropagation(const PropagationGraph& graph);

  // Propagates from the anchor of `question`. Visits each link of each node
  // within two hops of the anchor.
  void Run(const EndQuestion& question);

  // The sums of the link question.With(node), without sampling and without rule
  // evidence. Links between the two ends need no hiding: no path that counts
  // uses one. O(1) for most nodes, O(degree) for a neighbour of the anchor.
  PathSums At(NodeId node) const;

  // Whether a 2- or 3-path leads from the anchor to `node`.
  bool Reaches(NodeId node) const {
    return marks_[node] == epoch_ || totals_[node].all[0] != 0;
  }

 private:
  // The nodes of a path are named anchor - p - q - c. p is typed when the asked
  // relation leads from the anchor to p.
  //
  // Over some paths to a node, with d the degree of each inner node: their
  // number, the sum of the products of d^-1/2, and that of the products of 1/d.
  using Weights = std::array<float, 3>;
  // A neighbour p of the anchor.
  struct FirstStep {
    NodeId node;
    bool typed;                          // the asked relation leads here
    std::span<const int32_t> relations;  // from the anchor to p, ascending
  };
  // Over the 2-paths anchor - p - q, for one q.
  struct alignas(64) State {
    std::array<float, 4> all = {};    // Weights, then the sum of 1 / log d_p
    std::array<float, 4> typed = {};  // p typed; the last value is unused
    Weights alike = {};               // anchor and q relate to p alike
    Weights back = {};                // p typed, and the asked relation leads
                                      // from q to p too
    // q as the answer: the last link has the asked relation. The number of
    // paths and the sum of 1 / d_p.
    std::array<float, 2> last = {};
  };
  // Over the 3-paths anchor - p - q - c, for one c.
  struct alignas(32) Totals {
    std::array<float, 4> all = {};    // Weights; the last value is unused
    std::array<float, 4> typed = {};  // p typed
  };
  // Over the 3-paths whose last link has the asked relation, named as in State.
  // typed_alike alone is over all 3-paths with p typed where p and c relate to
  // q alike.
  struct TypedTotals {
    Weights all = {}, typed = {}, back = {}, alike = {}, typed_alike = {};
  };

  void CollectFirstSteps();
  void StepFrom(const FirstStep& step);
  void StepTo(NodeId q);
  void AddAlikeLastSteps();
  void SubtractParallels();
  void SubtractReturns(const FirstStep& step, Totals& totals,
                       TypedTotals& typed) const;
  State& Reach(NodeId node);

  const PropagationGraph* graph_;
  const GraphSnapshot* snapshot_;
  EndQuestion question_;
  int32_t asked_ = 0;  // the asked relation, signed, from the anchor on
  std::vector<std::pair<NodeId, int32_t>> arcs_;  // of the anchor, sorted
  std::vector<int32_t> relations_;  // storage of FirstStep::relations
  std::vector<FirstStep> steps_;    // ascending by node
  uint32_t epoch_ = 0;
  std::vector<uint32_t> marks_;   // [nodes]: epoch_ where a 2-path leads
  std::vector<NodeId> reached_;   // the nodes where a 2-path leads
  std::vector<uint64_t> stamps_;  // [nodes]
  uint64_t stamp_ = 0;
  std::vector<Weights> arrived_;    // [nodes], 0 between relations
  std::vector<NodeId> touched_;     // the nodes where arrived_ is not 0
  std::vector<State> states_;       // [nodes], valid where a 2-path leads
  std::vector<Totals> totals_;      // [nodes]
  std::vector<TypedTotals> typed_;  // [nodes]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SUM_PROPAGATION_H_
