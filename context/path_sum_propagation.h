// The path sums of path_sums.h between one node and all others at once, by one
// sparse propagation from that node (model.md 6). Nothing is sampled.
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
#include "graphstore/graph_snapshot.h"

namespace slice {

// What propagation reads of a graph. Immutable; thread-safe; the snapshot must
// outlive it.
class PropagationGraph {
 public:
  explicit PropagationGraph(const GraphSnapshot& snapshot);
  PropagationGraph(const PropagationGraph&) = delete;
  PropagationGraph& operator=(const PropagationGraph&) = delete;

  // A neighbour joined by several links, with how `node` relates to it: signed
  // relations, ascending.
  struct Parallel {
    NodeId neighbor;
    std::span<const int32_t> relations;
  };

  const GraphSnapshot& snapshot() const { return *snapshot_; }
  // 1 / sqrt(d), 0 for a node without neighbours.
  float InverseRoot(NodeId node) const { return inverse_root_[node]; }
  float AdamicAdar(NodeId node) const { return adamic_adar_[node]; }
  // Ascending by neighbour.
  std::span<const Parallel> Parallels(NodeId node) const {
    return std::span(parallels_)
        .subspan(parallel_start_[node],
                 parallel_start_[node + 1] - parallel_start_[node]);
  }

 private:
  const GraphSnapshot* snapshot_;
  std::vector<float> inverse_root_, adamic_adar_;  // [nodes]
  std::vector<size_t> parallel_start_;             // [nodes + 1]
  std::vector<Parallel> parallels_;
  std::vector<int32_t> relations_;  // behind the spans
};

// Thread-compatible; keeps its scratch memory (160 bytes per node) from one
// question to the next.
class PathSumPropagation {
 public:
  explicit PathSumPropagation(const PropagationGraph& graph);

  // O(sum over the nodes within two hops of the anchor of their links).
  void Run(const EndQuestion& question);

  // The sums between the ends of question.With(node), as PathEvidence finds
  // them without limits, whether the links that join the two are hidden or not:
  // no path that counts travels these. O(1), and O(degree) for a neighbour of
  // the anchor.
  PathSums At(NodeId node) const;

  // Whether any 2- or 3-path of the question reaches `node`.
  bool Reaches(NodeId node) const {
    return marks_[node] == epoch_ || totals_[node].all[0] != 0;
  }

 private:
  // Number, sum of d^-1/2 and of 1 / d over the ways to a node.
  using Weights = std::array<float, 3>;
  // A neighbour p of the anchor.
  struct FirstStep {
    NodeId node;
    bool typed;                          // by the link asked for
    std::span<const int32_t> relations;  // from the anchor to p, ascending
  };
  // Over the 2-paths anchor - p - q.
  struct alignas(64) State {
    std::array<float, 4> all = {};    // Weights, and 1 / log d
    std::array<float, 4> typed = {};  // p typed; the last is unused
    Weights alike = {};               // anchor and q relate to p alike
    Weights back = {};                // p typed, and so does q relate to p
    std::array<float, 2> last = {};   // q in the place asked for; no d^-1/2
  };
  // Over the 3-paths anchor - p - q - c; these three over all of them ...
  struct alignas(32) Totals {
    std::array<float, 4> all = {};
    std::array<float, 4> typed = {};
  };
  // ... and these over those whose last link is typed as the one asked for,
  // but the last, which is: p typed, p and c relate to q alike.
  struct TypedTotals {
    Weights all = {}, typed = {}, back = {}, alike = {}, typed_alike = {};
  };

  void CollectFirstSteps();
  void StepFrom(const FirstStep& step);
  void StepTo(NodeId q);
  void AddAlikeLastSteps();
  void TakeOutParallels();
  void TakeOut(const FirstStep& step, Totals& totals, TypedTotals& typed) const;
  State& Reach(NodeId node);

  const PropagationGraph* graph_;
  const GraphSnapshot* snapshot_;
  EndQuestion question_;
  int32_t asked_ = 0;                             // signed, from the anchor
  std::vector<std::pair<NodeId, int32_t>> arcs_;  // of the anchor, sorted
  std::vector<int32_t> relations_;                // behind the spans
  std::vector<FirstStep> steps_;                  // by node
  uint32_t epoch_ = 0;
  std::vector<uint32_t> marks_;   // [nodes]: epoch_ when reached by a 2-path
  std::vector<NodeId> reached_;   // these
  std::vector<uint64_t> stamps_;  // [nodes]
  uint64_t stamp_ = 0;
  std::vector<Weights> arrived_;    // [nodes], 0 between relations
  std::vector<NodeId> touched_;     // where it is not
  std::vector<State> states_;       // [nodes], valid where reached
  std::vector<Totals> totals_;      // [nodes]
  std::vector<TypedTotals> typed_;  // [nodes]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_SUM_PROPAGATION_H_
