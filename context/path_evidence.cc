// Computes the path sums of one link from u to v in a view.
//
// 2-paths: for each neighbour x of u, look up whether x is a neighbour of v.
// When u has more than PathFanOut::common neighbours, the neighbours of v are
// looked up instead; when both have more, those of u are sampled. 3-paths: for
// each sampled neighbour x of u and each sampled neighbour y of x, look up
// whether y is a neighbour of v. Where nodes are sampled, each path that is
// found counts as `times` paths.
//
// The kinds of a path follow from the relations between its inner nodes and the
// ends. The alike kinds of 3-paths also need the relations between x and y.
// HasArc() looks these up in sorted rows; the y of one x ascend, so that each
// row is passed only once. With rules, the same loops visit all relations
// instead of stopping at the first match, and count each path by its type.
#include "context/path_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

// The rest of an ascending list, from the first element that is not less than
// `least`. Uses exponential search.
std::span<const NodeId> From(std::span<const NodeId> list, NodeId least) {
  size_t low = 0;  // all elements before it are less
  size_t step = 1;
  while (low + step <= list.size() && list[low + step - 1] < least) {
    low += step;
    step *= 2;
  }
  const auto end = list.begin() + std::min(low + step, list.size());
  return {std::lower_bound(list.begin() + low, end, least), list.end()};
}

// 1 / sqrt(degree), from a table for all but hubs. REQUIRES: degree > 0.
double InverseRoot(size_t degree) {
  constexpr size_t kTableSize = 1024;
  static const std::array<double, kTableSize> kTable = [] {
    std::array<double, kTableSize> table = {};
    for (size_t i = 1; i < kTableSize; ++i) {
      table[i] = 1 / std::sqrt(static_cast<double>(i));
    }
    return table;
  }();
  if (degree < kTableSize) return kTable[degree];
  return 1 / std::sqrt(static_cast<double>(degree));
}

}  // namespace

// The first step u - x of 3-paths.
struct PathEvidence::FirstStep {
  NodeId x;
  double inverse_root;  // 1 / sqrt(d_x)
  bool has_relation;    // whether (u, r, x) is visible
};

void PathEvidence::Open(const GraphView& view, const Link& link,
                        const PathFanOut& fan_out, const PathRules* rules) {
  rules_ = rules;
  if (rules != nullptr) rule_counter_.Open(*rules, link.relation);
  view_ = &view;
  link_ = link;
  fan_out_ = fan_out;
  source_.Open(view, link.source, fan_out.common);
  const size_t followed = std::min(source_degree(), fan_out.first);
  target_.Open(
      view, link.target,
      std::min(source_degree(), fan_out.common) + followed * fan_out.second);
}

PathSums PathEvidence::Sum() {
  PathSums sums{SumCommonNeighbors(), SumThreePaths(), {}};
  if (rules_ != nullptr) sums.rules = rule_counter_.Sum();
  return sums;
}

CommonNeighborSums PathEvidence::SumCommonNeighbors() {
  CommonNeighborSums sums;
  const size_t fan_out = fan_out_.common;
  if (source_degree() > fan_out && target_degree() <= fan_out) {
    target_.neighbors().ForEach([&](NodeId x) {
      if (source_.Contains(x)) AddCommonNeighbor(x, 1, sums);
    });
    return sums;
  }
  const double times = Stride(source_degree(), fan_out);
  ForEachSampled(source_.neighbors(), fan_out, [&](NodeId x) {
    if (target_.Contains(x)) AddCommonNeighbor(x, times, sums);
  });
  return sums;
}

void PathEvidence::AddCommonNeighbor(NodeId x, double times,
                                     CommonNeighborSums& sums) {
  if (x == link_.source || x == link_.target) return;
  const double degree = static_cast<double>(view_->NeighborCount(x));
  const double inverse = 1 / degree;
  const int32_t out = SignedRelation(link_.relation, Direction::kOut);
  bool first = false, last = false, alike = false;
  source_.AnyRelation(x, [&](int32_t from_source) {
    first |= from_source == out;
    target_.AnyRelation(x, [&](int32_t from_target) {
      alike |= from_target == from_source;
      if (rules_ != nullptr) {
        rule_counter_.Add({from_source, -from_target, 0}, times);
      }
      return alike && rules_ == nullptr;
    });
    return false;
  });
  target_.AnyRelation(
      x, [&](int32_t from_target) { return last |= from_target == -out; });
  sums.all.Add(times, inverse);
  sums.adamic_adar += times / std::log(std::max(degree, 2.0));
  if (first) sums.first_relation.Add(times, inverse);
  if (last) sums.last_relation.Add(times, inverse);
  if (alike) sums.alike.Add(times, inverse);
}

ThreePathEvidence PathEvidence::SumThreePaths() {
  ThreePathEvidence sums;
  if (target_degree() == 0) return sums;
  joined_.resize(fan_out_.second + 1);
  const double source_stride = Stride(source_degree(), fan_out_.first);
  const int32_t out = SignedRelation(link_.relation, Direction::kOut);
  ForEachSampled(source_.neighbors(), fan_out_.first, [&](NodeId x) {
    if (x == link_.target) return;
    const NeighborList neighbors = view_->Neighbors(x);
    const double times =
        source_stride * Stride(neighbors.size(), fan_out_.second);
    const FirstStep first{
        x, InverseRoot(neighbors.size()),
        source_.AnyRelation(x, [out](int32_t r) { return r == out; })};
    slots_.clear();
    const size_t count = GatherJoined(neighbors);
    for (size_t i = 0; i < count; ++i) {
      AddThreePath(first, joined_[i], times, sums);
    }
  });
  return sums;
}

// Writes into joined_ those sampled y of one x that are neighbours of v.
// Returns their number.
size_t PathEvidence::GatherJoined(const NeighborList& neighbors) {
  const NodeId source = link_.source;
  if (const NodeBits* neighbors_of_target = target_.index()) {
    const NodeBits::Reader shown(*neighbors_of_target);
    return GatherSampled(
        neighbors, fan_out_.second,
        [=](NodeId y) { return shown.Contains(y) & (y != source); },
        joined_.data());
  }
  return GatherSampled(
      neighbors, fan_out_.second,
      [&](NodeId y) { return target_.Contains(y) && y != source; },
      joined_.data());
}

void PathEvidence::AddThreePath(const FirstStep& first, NodeId y, double times,
                                ThreePathEvidence& sums) {
  const int32_t out = SignedRelation(link_.relation, Direction::kOut);
  const double inverse_root =
      first.inverse_root * InverseRoot(view_->NeighborCount(y));
  sums.all.Add(times, inverse_root);
  const bool last =
      target_.AnyRelation(y, [out](int32_t r) { return r == -out; });
  if (first.has_relation) {
    sums.first_relation.Add(times, inverse_root);
    if (EndsAlike(first.x, y, times)) {
      sums.first_relation_alike.Add(times, inverse_root);
    }
  }
  if (!last) return;
  sums.last_relation.Add(times, inverse_root);
  if (StartsAlike(first.x, y, times)) {
    sums.last_relation_alike.Add(times, inverse_root);
  }
  if (!first.has_relation) return;
  sums.both_relations.Add(times, inverse_root);
  if (HasArc(first.x, -out, y)) sums.there_and_back.Add(times, inverse_root);
}

bool PathEvidence::EndsAlike(NodeId x, NodeId y, double times) {
  bool any = false;
  target_.AnyRelation(y, [&](int32_t relation) {
    if (!HasArc(x, relation, y)) return false;
    any = true;
    if (rules_ != nullptr) {
      rule_counter_.AddToAndFro(RuleCounter::ToAndFro::kAfter, relation, times);
    }
    return rules_ == nullptr;
  });
  return any;
}

bool PathEvidence::StartsAlike(NodeId x, NodeId y, double times) {
  const int32_t out = SignedRelation(link_.relation, Direction::kOut);
  bool any = false;
  source_.AnyRelation(x, [&](int32_t relation) {
    if (!HasArc(x, -relation, y)) return false;
    any = true;
    // EndsAlike() has already counted the type (r, -r, r).
    if (rules_ != nullptr && relation != out) {
      rule_counter_.AddToAndFro(RuleCounter::ToAndFro::kBefore, relation,
                                times);
    }
    return rules_ == nullptr;
  });
  return any;
}

// Whether a visible link leads from x by the signed relation to y. REQUIRES:
// the calls for one x follow each other, with ascending y.
bool PathEvidence::HasArc(NodeId x, int32_t relation, NodeId y) {
  const Direction direction = DirectionOfSigned(relation);
  const RelationId id = RelationOfSigned(relation);
  auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) {
    return s.relation == relation;
  });
  if (slot == slots_.end()) {
    slots_.push_back({relation, view_->snapshot().Neighbors(x, id, direction)});
    slot = slots_.end() - 1;
  }
  slot->ahead = From(slot->ahead, y);
  return !slot->ahead.empty() && slot->ahead.front() == y &&
         view_->IsVisible(x, {y, id, direction});
}

}  // namespace slice
