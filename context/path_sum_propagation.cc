// Computes the sums by propagation: each node passes the sums over the paths
// that end there on to its neighbours, where they become sums over longer
// paths.
//
// A path is read from the anchor a to a possible answer c. The 2-paths are
// a - p - c, the 3-paths a - p - q - c. The asked relation is the relation of
// the question, signed as travelled from the anchor to the answer. p is typed
// when the asked relation leads from a to p. c is typed when the asked relation
// leads to c from the last inner node.
//
// Run() takes four steps:
//   1. StepFrom(p) adds the 2-paths over p to the state of each neighbour of p.
//      The state of a node has the sums over the 2-paths that end there.
//   2. StepTo(q) goes on from the paths in the state of q to each neighbour of
//      q, and adds these 3-paths to the totals of that neighbour.
//   3. AddAlikeLastSteps() adds the 3-paths where p is typed and p and c relate
//      to q alike. It does so relation by relation, and so counts a path
//      several times if p and c relate to q alike by several relations.
//   4. SubtractParallels() subtracts what step 3 has counted too often.
// At(c) subtracts the paths that pass c before they end there. Such paths exist
// only if c is a neighbour of the anchor. Paths that come back to the anchor as
// an inner node are never counted.
//
// If the target is wanted, the paths with p typed are the kind first_relation
// of path_sums.h, and those with c typed are last_relation. If the source is
// wanted, these two kinds change places, and so do the two alike kinds of
// 3-paths.
#include "context/path_sum_propagation.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "context/node_slots.h"

namespace slice {
namespace {

template <size_t kFrom>
void Add(std::array<float, 3>& sum, const std::array<float, kFrom>& weights,
         float inverse_root, float times = 1) {
  sum[0] += times * weights[0];
  sum[1] += times * weights[1] * inverse_root;
  sum[2] += times * weights[2] * inverse_root * inverse_root;
}

// How many elements of `a` have their negative in `b`; both ascend.
size_t SharedWithTurned(std::span<const int32_t> a,
                        std::span<const int32_t> b) {
  return static_cast<size_t>(
      std::count_if(a.begin(), a.end(), [&](int32_t relation) {
        return std::binary_search(b.begin(), b.end(), -relation);
      }));
}

template <size_t kSize>
ThreePathSums AsSums(const std::array<float, kSize>& weights) {
  ThreePathSums sums;
  if (weights[0] <= 0) return sums;  // rounding left by a subtraction
  sums.count = weights[0];
  sums.root_weight = std::max(weights[1], 0.0f);
  sums.weight = std::max(weights[2], 0.0f);
  return sums;
}

template <size_t kSize>
TwoPathSums AsTwoPathSums(const std::array<float, kSize>& weights) {
  return {weights.front(), weights[kSize == 2 ? 1 : 2]};
}

}  // namespace

PathSumPropagation::PathSumPropagation(const PropagationGraph& graph)
    : graph_(&graph), snapshot_(&graph.snapshot()) {
  const size_t nodes = snapshot_->node_count();
  marks_.resize(nodes);
  stamps_.resize(nodes);
  arrived_.resize(nodes);
  states_.resize(nodes);
  totals_.resize(nodes);
  typed_.resize(nodes);
}

void PathSumPropagation::Run(const EndQuestion& question) {
  question_ = question;
  asked_ = SignedRelation(question.relation, question.direction);
  if (++epoch_ == 0) {  // wrapped: old marks could be taken for new ones
    std::fill(marks_.begin(), marks_.end(), 0);
    epoch_ = 1;
  }
  reached_.clear();
  std::fill(totals_.begin(), totals_.end(), Totals());
  std::fill(typed_.begin(), typed_.end(), TypedTotals());
  CollectFirstSteps();
  for (const FirstStep& step : steps_) StepFrom(step);
  for (const NodeId q : reached_) {
    if (q != question_.anchor) StepTo(q);
  }
  AddAlikeLastSteps();
  SubtractParallels();
}

void PathSumPropagation::CollectFirstSteps() {
  const NodeId anchor = question_.anchor;
  arcs_.clear();
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan span = snapshot_->Arcs(anchor, direction);
    for (size_t i = 0; i < span.size(); ++i) {
      if (span.neighbors[i] == anchor) continue;
      arcs_.emplace_back(span.neighbors[i],
                         SignedRelation(span.relations[i], direction));
    }
  }
  std::sort(arcs_.begin(), arcs_.end());
  relations_.clear();
  for (const auto& [node, relation] : arcs_) relations_.push_back(relation);
  steps_.clear();
  for (size_t begin = 0, end = 0; begin < arcs_.size(); begin = end) {
    FirstStep step{arcs_[begin].first, false, {}};
    while (end < arcs_.size() && arcs_[end].first == step.node) {
      step.typed |= arcs_[end++].second == asked_;
    }
    step.relations = std::span(relations_).subspan(begin, end - begin);
    steps_.push_back(step);
  }
}

PathSumPropagation::State& PathSumPropagation::Reach(NodeId node) {
  if (marks_[node] != epoch_) {
    marks_[node] = epoch_;
    states_[node] = State();
    reached_.push_back(node);
  }
  return states_[node];
}

// The anchor may be reached like any other node, but Run() takes no step from
// it.
void PathSumPropagation::StepFrom(const FirstStep& step) {
  const NodeId p = step.node;
  const float root = graph_->InverseRoot(p);
  const std::array<float, 4> weights = {1, root, root * root,
                                        graph_->AdamicAdar(p)};
  const float typed = step.typed ? 1 : 0;
  for (const NodeId q : snapshot_->DistinctNeighbors(p)) {
    State& state = Reach(q);
    for (size_t i = 0; i < 4; ++i) state.all[i] += weights[i];
    for (size_t i = 0; i < 4; ++i) state.typed[i] += typed * weights[i];
  }
  ++stamp_;
  for (const int32_t relation : step.relations) {
    for (const NodeId q : SlotNodes(*snapshot_, p, -relation)) {
      if (q == p || stamps_[q] == stamp_) continue;
      stamps_[q] = stamp_;
      for (size_t i = 0; i < 3; ++i) states_[q].alike[i] += weights[i];
    }
  }
  for (const NodeId c : SlotNodes(*snapshot_, p, asked_)) {
    if (c == p) continue;
    states_[c].last[0] += 1;
    states_[c].last[1] += root * root;
  }
  if (!step.typed) return;
  for (const NodeId q : SlotNodes(*snapshot_, p, -asked_)) {
    if (q == p) continue;
    for (size_t i = 0; i < 3; ++i) states_[q].back[i] += weights[i];
  }
}

void PathSumPropagation::StepTo(NodeId q) {
  const State& state = states_[q];
  const float root = graph_->InverseRoot(q);
  const std::array<float, 4> roots = {1, root, root * root, 0};
  std::array<float, 4> all, typed;
  for (size_t i = 0; i < 4; ++i) all[i] = state.all[i] * roots[i];
  for (size_t i = 0; i < 4; ++i) typed[i] = state.typed[i] * roots[i];
  for (const NodeId c : snapshot_->DistinctNeighbors(q)) {
    Totals& totals = totals_[c];
    for (size_t i = 0; i < 4; ++i) totals.all[i] += all[i];
    for (size_t i = 0; i < 4; ++i) totals.typed[i] += typed[i];
  }
  for (const NodeId c : SlotNodes(*snapshot_, q, asked_)) {
    if (c == q) continue;
    TypedTotals& totals = typed_[c];
    Add(totals.all, state.all, root);
    Add(totals.typed, state.typed, root);
    Add(totals.back, state.back, root);
    Add(totals.alike, state.alike, root);
  }
}

// For each signed relation: steps along it from each typed p to every q, then
// back along it from these q to every c.
void PathSumPropagation::AddAlikeLastSteps() {
  std::vector<std::pair<int32_t, NodeId>> slots;  // (relation, typed p)
  for (const FirstStep& step : steps_) {
    if (!step.typed) continue;
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      snapshot_->ForEachSlot(
          step.node, direction,
          [&](RelationId relation, std::span<const NodeId>) {
            slots.emplace_back(SignedRelation(relation, direction), step.node);
          });
    }
  }
  std::sort(slots.begin(), slots.end());
  for (size_t at = 0; at < slots.size();) {
    const int32_t relation = slots[at].first;
    for (; at < slots.size() && slots[at].first == relation; ++at) {
      const NodeId p = slots[at].second;
      const float root = graph_->InverseRoot(p);
      for (const NodeId q : SlotNodes(*snapshot_, p, relation)) {
        if (q == p || q == question_.anchor) continue;
        if (arrived_[q][0] == 0) touched_.push_back(q);
        Add(arrived_[q], Weights{1, 1, 1}, root);
      }
    }
    for (const NodeId q : touched_) {
      const float root = graph_->InverseRoot(q);
      for (const NodeId c : SlotNodes(*snapshot_, q, -relation)) {
        if (c != q) Add(typed_[c].typed_alike, arrived_[q], root);
      }
      arrived_[q] = Weights();
    }
    touched_.clear();
  }
}

// AddAlikeLastSteps() counted a path once for each relation by which p and c
// relate to q alike. Subtracts all but one of these counts.
void PathSumPropagation::SubtractParallels() {
  for (const FirstStep& step : steps_) {
    if (!step.typed) continue;
    const float p_root = graph_->InverseRoot(step.node);
    for (const auto& to_q : graph_->Parallels(step.node)) {
      if (to_q.neighbor == question_.anchor) continue;
      const float root = graph_->InverseRoot(to_q.neighbor);
      for (const auto& to_c : graph_->Parallels(to_q.neighbor)) {
        const size_t shared = SharedWithTurned(to_q.relations, to_c.relations);
        if (shared < 2) continue;
        Add(typed_[to_c.neighbor].typed_alike,
            Weights{1, p_root, p_root * p_root}, root,
            1 - static_cast<float>(shared));
      }
    }
  }
}

// Subtracts from the sums of c the paths a - c - q - c. `step` leads from the
// anchor to c.
void PathSumPropagation::SubtractReturns(const FirstStep& step, Totals& totals,
                                         TypedTotals& typed) const {
  const NodeId c = step.node;
  const float own = graph_->InverseRoot(c);
  const Weights weights = {1, own, own * own};
  Weights all = {}, last = {}, alike = {};
  for (const NodeId q : snapshot_->DistinctNeighbors(c)) {
    if (q != question_.anchor) Add(all, weights, graph_->InverseRoot(q));
  }
  for (const NodeId q : SlotNodes(*snapshot_, c, -asked_)) {
    if (q == question_.anchor || q == c) continue;
    Add(last, weights, graph_->InverseRoot(q));
    const bool is_alike = std::any_of(
        step.relations.begin(), step.relations.end(), [&](int32_t relation) {
          const auto slot = SlotNodes(*snapshot_, c, -relation);
          return std::binary_search(slot.begin(), slot.end(), q);
        });
    if (is_alike) Add(alike, weights, graph_->InverseRoot(q));
  }
  for (size_t i = 0; i < 3; ++i) {
    totals.all[i] -= all[i];
    typed.all[i] -= last[i];
    typed.alike[i] -= alike[i];
    if (!step.typed) continue;
    totals.typed[i] -= all[i];
    typed.typed_alike[i] -= all[i];
    typed.typed[i] -= last[i];
    typed.back[i] -= last[i];
  }
}

PathSums PathSumPropagation::At(NodeId node) const {
  Totals totals = totals_[node];
  TypedTotals typed = typed_[node];
  const auto step =
      std::lower_bound(steps_.begin(), steps_.end(), node,
                       [](const FirstStep& s, NodeId n) { return s.node < n; });
  if (step != steps_.end() && step->node == node) {
    SubtractReturns(*step, totals, typed);
  }
  const State state = marks_[node] == epoch_ ? states_[node] : State();

  PathSums sums;
  sums.common.all = AsTwoPathSums(state.all);
  sums.common.adamic_adar = state.all[3];
  sums.common.first_relation = AsTwoPathSums(state.typed);
  sums.common.last_relation = AsTwoPathSums(state.last);
  sums.common.alike = AsTwoPathSums(state.alike);
  sums.three.all = AsSums(totals.all);
  sums.three.first_relation = AsSums(totals.typed);
  sums.three.last_relation = AsSums(typed.all);
  sums.three.both_relations = AsSums(typed.typed);
  sums.three.there_and_back = AsSums(typed.back);
  sums.three.first_relation_alike = AsSums(typed.typed_alike);
  sums.three.last_relation_alike = AsSums(typed.alike);
  if (question_.direction == Direction::kIn) {
    std::swap(sums.common.first_relation, sums.common.last_relation);
    std::swap(sums.three.first_relation, sums.three.last_relation);
    std::swap(sums.three.first_relation_alike, sums.three.last_relation_alike);
  }
  return sums;
}

}  // namespace slice
