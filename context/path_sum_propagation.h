// Computes the path sums between one node, the anchor, and all other nodes at
// once. Sums are propagated: passed on along links, from the anchor to its
// neighbours and from there to theirs (docs/model.md, "Recommending"). The sums
// are those of context/path_sums.h; nothing is sampled.
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

// Thread-compatible; keeps its scratch memory (about 180 bytes per node) from
// one question to the next.
class PathSumPropagation {
 public:
  // `graph` must outlive it.
  explicit PathSumPropagation(const PropagationGraph& graph);

  // Computes the path sums between the anchor of `question` and all nodes.
  // Visits each link of each node that is at most two hops from the anchor.
  void Run(const EndQuestion& question);

  // The sums of the link question.With(node), without sampling and without rule
  // evidence. Links between the two ends need not be hidden, because no counted
  // path uses one. O(1) for most nodes, O(degree) for a neighbour of the
  // anchor.
  PathSums At(NodeId node) const;

  // Whether a 2- or 3-path leads from the anchor to `node`.
  bool Reaches(NodeId node) const {
    return marks_[node] == epoch_ || totals_[node].all[0] != 0;
  }

 private:
  // The nodes of a path are named anchor - p - q - c. The asked relation is
  // that of the question, as travelled from the anchor; p is typed when this
  // relation leads from the anchor to p.
  //
  // Sums over some of the paths to one node: the number of paths, the sum of w
  // and the sum of w^2. Here w is the product of d^-1/2 over the inner nodes of
  // a path, and d is the degree of an inner node.
  using Weights = std::array<float, 3>;
  // A neighbour p of the anchor.
  struct FirstStep {
    NodeId node;
    bool typed;                          // the asked relation leads here
    std::span<const int32_t> relations;  // from the anchor to p, ascending
  };
  // Sums over the 2-paths anchor - p - q, for one q.
  struct alignas(64) State {
    std::array<float, 4> all = {};    // Weights, then the sum of 1 / log d_p
    std::array<float, 4> typed = {};  // where p is typed; the last is unused
    Weights alike = {};  // where the anchor and q relate to p alike
    Weights back = {};   // where p is typed and the asked relation leads from
                         // q to p too
    // Where the asked relation leads from p to q, for q as the answer: the
    // number of paths and the sum of 1 / d_p.
    std::array<float, 2> last = {};
  };
  // Sums over the 3-paths anchor - p - q - c, for one c.
  struct alignas(32) Totals {
    std::array<float, 4> all = {};    // Weights; the last value is unused
    std::array<float, 4> typed = {};  // where p is typed
  };
  // Sums over the 3-paths where the asked relation leads from q to c; the names
  // are those of State. typed_alike is different: it is over all 3-paths where
  // p is typed, and p and c relate to q alike.
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
  int32_t asked_ = 0;                             // the asked relation, signed
  std::vector<std::pair<NodeId, int32_t>> arcs_;  // of the anchor, sorted
  std::vector<int32_t> relations_;  // storage of FirstStep::relations
  std::vector<FirstStep> steps_;    // ascending by node
  uint32_t epoch_ = 0;
  std::vector<uint32_t> marks_;   // [nodes]: epoch_ where a 2-path ends
  std::vector<NodeId> reached_;   // the nodes where a 2-path ends
  std::vector<uint64_t> stamps_;  // [nodes]: stamp_ where `alike` has this p
  uint64_t stamp_ = 0;
  std::vector<Weights> arrived_;    // [nodes], 0 between relations
  std::vector<NodeId> touched_;     // the nodes where arrived_ is not 0
  std::vector<State> states_;       // [nodes], valid where a 2-path ends
  std::vector<Totals> totals_;      // [nodes]
  std::vector<TypedTotals> typed_;  // [nodes]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SUM_PROPAGATION_H_
