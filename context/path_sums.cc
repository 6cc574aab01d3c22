#include "context/path_sums.h"

#include <algorithm>
#include <cmath>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

// What a mark says of a node, above the epoch.
constexpr uint32_t kNeighbor = 1;       // of the target; relation not looked at
constexpr uint32_t kOtherRelation = 2;  // neighbour, not by (node, r, target)
constexpr uint32_t kLastRelation = 3;   // (node, r, target)

// Writing a mark costs about an eighth of one binary search.
constexpr size_t kMarksPerTest = 8;

double Stride(size_t size, size_t limit) {
  return size <= limit ? 1.0 : static_cast<double>(size) / limit;
}

}  // namespace

// A first step u - x of 3-paths.
struct PathEvidence::FirstStep {
  NodeId x;
  double inverse_root_degree;
  bool has_relation;  // (u, r, x)
};

void PathEvidence::Open(const GraphView& view, const Link& link,
                        const PathFanOut& fan_out) {
  view_ = &view;
  link_ = link;
  fan_out_ = fan_out;
  source_neighbors_ = view.Neighbors(link.source);
  target_neighbors_ = view.Neighbors(link.target);
  source_has_relation_ =
      view.SlotDegree(link.source, link.relation, Direction::kOut) > 0;
  target_has_relation_ =
      view.SlotDegree(link.target, link.relation, Direction::kIn) > 0;
  source_arcs_of_ = kNoNode;
  const size_t tests =
      std::min(source_degree(), fan_out.common) +
      std::min(source_degree(), fan_out.first) * fan_out.second;
  marked_ = target_degree() <= kMarksPerTest * tests;
  if (!marked_) return;
  if (marks_.size() < view.node_count()) marks_.resize(view.node_count());
  epoch_ += 4;
  if (epoch_ == 0) {  // wrapped: old marks could be taken for new ones
    std::fill(marks_.begin(), marks_.end(), 0);
    epoch_ = 4;
  }
  target_neighbors_->ForEach(
      [this](NodeId node) { marks_[node] = epoch_ + kNeighbor; });
}

bool PathEvidence::IsTargetNeighbor(NodeId node) const {
  if (marked_) return marks_[node] > epoch_;
  return target_neighbors_->Contains(node);
}

// Whether (node, r, v). REQUIRES: `node` is a neighbour of the target.
bool PathEvidence::HasLastRelation(NodeId node) {
  if (!target_has_relation_) return false;
  const auto look = [&] {
    return view_->HasLink({node, link_.relation, link_.target});
  };
  if (!marked_) return look();
  uint32_t& mark = marks_[node];
  if (mark == epoch_ + kNeighbor) {
    mark = epoch_ + (look() ? kLastRelation : kOtherRelation);
  }
  return mark == epoch_ + kLastRelation;
}

// Whether `other` has one of `arcs`, all to one node, too.
bool PathEvidence::RelatesAlike(const std::vector<Arc>& arcs,
                                NodeId other) const {
  return std::any_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
    return view_->HasLink(arc.direction == Direction::kOut
                              ? Link{other, arc.relation, arc.neighbor}
                              : Link{arc.neighbor, arc.relation, other});
  });
}

CommonNeighborSums PathEvidence::SumCommonNeighbors() {
  const size_t fan_out = fan_out_.common;
  CommonNeighborSums sums;
  if (source_degree() > fan_out && target_degree() <= fan_out) {
    target_neighbors_->ForEach([&](NodeId x) {
      if (source_neighbors_->Contains(x)) AddCommonNeighbor(x, 1, sums);
    });
    return sums;
  }
  const double times = Stride(source_degree(), fan_out);
  ForEachSampled(*source_neighbors_, fan_out, [&](NodeId x) {
    if (IsTargetNeighbor(x)) AddCommonNeighbor(x, times, sums);
  });
  return sums;
}

void PathEvidence::AddCommonNeighbor(NodeId x, double times,
                                     CommonNeighborSums& sums) {
  if (x == link_.source || x == link_.target) return;
  const double degree = static_cast<double>(view_->NeighborCount(x));
  const double inverse = 1 / degree;
  sums.all.Add(times, inverse);
  sums.adamic_adar += times / std::log(std::max(degree, 2.0));
  if (source_has_relation_ &&
      view_->HasLink({link_.source, link_.relation, x})) {
    sums.first_relation.Add(times, inverse);
  }
  if (HasLastRelation(x)) sums.last_relation.Add(times, inverse);
  if (RelatesAlike(view_->ArcsBetween(link_.source, x), link_.target)) {
    sums.alike.Add(times, inverse);
  }
}

ThreePathEvidence PathEvidence::SumThreePaths() {
  const size_t fan_out = fan_out_.first;
  const size_t fan_in = fan_out_.second;
  ThreePathEvidence sums;
  if (target_neighbors_->empty()) return sums;
  const double source_stride = Stride(source_degree(), fan_out);
  ForEachSampled(*source_neighbors_, fan_out, [&](NodeId x) {
    if (x == link_.target) return;
    const NeighborList neighbors = view_->Neighbors(x);
    const double times = source_stride * Stride(neighbors.size(), fan_in);
    FirstStep first{x, 1 / std::sqrt(static_cast<double>(neighbors.size())),
                    source_has_relation_ &&
                        view_->HasLink({link_.source, link_.relation, x})};
    ForEachSampled(neighbors, fan_in, [&](NodeId y) {
      if (IsTargetNeighbor(y) && y != link_.source) {
        AddThreePath(first, y, times, sums);
      }
    });
  });
  return sums;
}

void PathEvidence::AddThreePath(const FirstStep& first, NodeId y, double times,
                                ThreePathEvidence& sums) {
  const double inverse_root =
      first.inverse_root_degree /
      std::sqrt(static_cast<double>(view_->NeighborCount(y)));
  sums.all.Add(times, inverse_root);
  if (first.has_relation) {
    sums.first_relation.Add(times, inverse_root);
    if (RelatesAlike(view_->ArcsBetween(link_.target, y), first.x)) {
      sums.first_relation_alike.Add(times, inverse_root);
    }
  }
  if (!HasLastRelation(y)) return;
  sums.last_relation.Add(times, inverse_root);
  if (source_arcs_of_ != first.x) {
    source_arcs_ = view_->ArcsBetween(link_.source, first.x);
    source_arcs_of_ = first.x;
  }
  if (RelatesAlike(source_arcs_, y)) {
    sums.last_relation_alike.Add(times, inverse_root);
  }
  if (!first.has_relation) return;
  sums.both_relations.Add(times, inverse_root);
  if (view_->HasLink({y, link_.relation, first.x})) {
    sums.there_and_back.Add(times, inverse_root);
  }
}

}  // namespace slice
