// The lister visits the same nodes as PathEvidence, in the same samples. It
// writes down for each choice of inner nodes (a walk) which types its paths
// have. A kind of path (context/path_kinds.h) is a property of a type. So
// PathLedger::Sum() needs no graph: a walk belongs to a kind when one of its
// kept types does.
//
// A walk of three links with a, b and c parallel links has a b c types. They
// are not listed one by one. A bit says of each tracked type whether the walk
// has it, and the kinds of all other types follow from counting: of the types
// of a kind that the walk has, how many are tracked?
#include "context/path_lister.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "context/neighbor_sample.h"
#include "context/path_kinds.h"

namespace slice {
namespace {

constexpr size_t kMostTracked = 64;

template <typename Steps>
bool Has(const Steps& steps, int32_t step) {
  return std::find(steps.begin(), steps.end(), step) != steps.end();
}

}  // namespace

thread_local EndNeighborhood PathLister::source_;
thread_local EndNeighborhood PathLister::target_;

PathLister::PathLister(const GraphView& view, const Link& link,
                       const PathFanOut& fan_out)
    : view_(view),
      link_(link),
      r_(SignedRelation(link.relation, Direction::kOut)),
      fan_out_(fan_out) {
  source_.Open(view, link.source, fan_out.common);
  const size_t followed = std::min(source_.degree(), fan_out.first);
  target_.Open(
      view, link.target,
      std::min(source_.degree(), fan_out.common) + followed * fan_out.second);
  paths_.source_degree = source_.degree();
  paths_.target_degree = target_.degree();
}

PathListing PathLister::List(std::span<const PathType> tracked,
                             bool with_rules) {
  with_rules_ = with_rules;
  for (const PathType& type : tracked) {
    if (LengthOf(type) == 3 && paths_.tracked.size() < kMostTracked) {
      paths_.tracked.push_back({type, KindsOf(type, r_), 0});
    }
  }
  if (link_.source != link_.target) ListDirect();
  ListTwoPaths();
  if (target_.degree() > 0) ListThreePaths();
  return std::move(paths_);
}

void PathLister::AddType(const PathType& type, double times) {
  std::vector<ListedType>& types = paths_.types;
  const auto [found, added] =
      index_.try_emplace(type, static_cast<uint32_t>(types.size()));
  if (added) types.push_back({type, KindsOf(type, r_), 0});
  types[found->second].count += times;
  paths_.walk_types.push_back(found->second);
}

void PathLister::ListDirect() {
  view_.ForEachArcBetween(link_.source, link_.target,
                          [&](RelationId relation, Direction way) {
                            AddType({SignedRelation(relation, way), 0, 0}, 1);
                          });
}

void PathLister::ListTwoPaths() {
  const size_t limit = fan_out_.common;
  if (source_.degree() > limit && target_.degree() <= limit) {
    target_.neighbors().ForEach([&](NodeId x) {
      if (source_.Contains(x)) AddTwoPath(x, 1);
    });
    return;
  }
  const double times = Stride(source_.degree(), limit);
  ForEachSampled(source_.neighbors(), limit, [&](NodeId x) {
    if (target_.Contains(x)) AddTwoPath(x, times);
  });
}

void PathLister::AddTwoPath(NodeId x, double times) {
  if (x == link_.source || x == link_.target) return;
  const auto begin = static_cast<uint32_t>(paths_.walk_types.size());
  source_.AnyRelation(x, [&](int32_t from_source) {
    target_.AnyRelation(x, [&](int32_t from_target) {
      AddType({from_source, -from_target, 0}, times);
      return false;
    });
    return false;
  });
  const double degree = static_cast<double>(view_.NeighborCount(x));
  paths_.two.push_back({times, 1 / degree, begin,
                        static_cast<uint32_t>(paths_.walk_types.size())});
}

void PathLister::ListThreePaths() {
  const double stride = Stride(source_.degree(), fan_out_.first);
  ForEachSampled(source_.neighbors(), fan_out_.first, [&](NodeId x) {
    if (x != link_.target) ListThreePathsOver(x, stride);
  });
}

void PathLister::ListThreePathsOver(NodeId x, double stride) {
  const NeighborList neighbors = view_.Neighbors(x);
  const double times = stride * Stride(neighbors.size(), fan_out_.second);
  first_.steps.clear();
  source_.AnyRelation(x, [&](int32_t step) {
    first_.steps.push_back(step);
    return false;
  });
  FinishStep(x, 0, first_);
  ForEachSampled(neighbors, fan_out_.second, [&](NodeId y) {
    if (y != link_.source && target_.Contains(y)) {
      AddThreePath(x, y, times);
    }
  });
}

// Sets what follows from the relations of a step at `position` of its types.
void PathLister::FinishStep(NodeId inner, size_t position,
                            EndStep& step) const {
  step.tracked = 0;
  for (size_t i = 0; i < paths_.tracked.size(); ++i) {
    if (Has(step.steps, paths_.tracked[i].type[position])) {
      step.tracked |= uint64_t{1} << i;
    }
  }
  step.has_relation = Has(step.steps, r_);
  step.root = 1 / std::sqrt(static_cast<double>(view_.NeighborCount(inner)));
}

const PathLister::EndStep& PathLister::LastStepFrom(NodeId y) {
  const auto [found, added] = last_step_index_.try_emplace(
      y, static_cast<uint32_t>(last_steps_.size()));
  if (added) {
    EndStep& last = last_steps_.emplace_back();
    target_.AnyRelation(y, [&](int32_t from_target) {
      last.steps.push_back(-from_target);
      return false;
    });
    FinishStep(y, 2, last);
  }
  return last_steps_[found->second];
}

void PathLister::AddThreePath(NodeId x, NodeId y, double times) {
  second_.clear();
  view_.ForEachArcBetween(x, y, [&](RelationId relation, Direction way) {
    second_.push_back(SignedRelation(relation, way));
  });
  const EndStep& last = LastStepFrom(y);
  ThreeLinkTypes walk;
  for (uint64_t left = first_.tracked & last.tracked; left != 0;
       left &= left - 1) {
    ListedType& entry =
        paths_.tracked[static_cast<size_t>(std::countr_zero(left))];
    if (!Has(second_, entry.type[1])) continue;
    walk.tracked |= left & -left;
    entry.count += times;
  }
  SetOthers(last, walk);
  if (with_rules_) CountRules(last, times);
  std::vector<ThreeLinkWalks>& walks = paths_.three;
  const auto [found, added] = three_index_.try_emplace(walk, walks.size());
  if (added) walks.push_back({walk, {}});
  walks[found->second].sums.Add(times, first_.root * last.root);
}

// For each kind: how many types of the walk belong to it, less the tracked
// ones.
void PathLister::SetOthers(const EndStep& last, ThreeLinkTypes& walk) const {
  const bool begins = first_.has_relation, ends = last.has_relation;
  const size_t firsts = first_.steps.size(), seconds = second_.size(),
               lasts = last.steps.size();
  size_t first_alike = 0, last_alike = 0;
  for (const int32_t step : second_) {
    if (begins) first_alike += Has(last.steps, -step) ? 1 : 0;
    if (ends) last_alike += Has(first_.steps, -step) ? 1 : 0;
  }
  size_t all = firsts * seconds * lasts;
  // In the order of the bits of PathKind.
  size_t counts[kPathKinds] = {
      begins ? seconds * lasts : 0,
      ends ? firsts * seconds : 0,
      begins && ends ? seconds : 0,
      begins && ends && Has(second_, -r_) ? size_t{1} : 0,
      first_alike,
      last_alike};
  for (uint64_t left = walk.tracked; left != 0; left &= left - 1) {
    const uint8_t kinds =
        paths_.tracked[static_cast<size_t>(std::countr_zero(left))].kinds;
    --all;
    for (int kind = 0; kind < kPathKinds; ++kind)
      counts[kind] -= kinds >> kind & 1;
  }
  walk.has_others = all > 0;
  for (int kind = 0; kind < kPathKinds; ++kind) {
    if (counts[kind] > 0) walk.other_kinds |= static_cast<uint8_t>(1 << kind);
  }
}

// Counts the types (r, s, -s) and (s, -s, r), which alone may have rules.
void PathLister::CountRules(const EndStep& last, double times) {
  if (first_.has_relation) {
    for (const int32_t step : second_) {
      if (Has(last.steps, -step)) CountRule({r_, step, -step}, times);
    }
  }
  if (!last.has_relation) return;
  for (const int32_t step : second_) {
    // The type (r, -r, r) has been counted already.
    if (step != -r_ && Has(first_.steps, -step)) {
      CountRule({-step, step, r_}, times);
    }
  }
}

void PathLister::CountRule(const PathType& type, double times) {
  std::vector<ListedType>& types = paths_.may_have_rules;
  const auto [found, added] =
      rule_index_.try_emplace(type, static_cast<uint32_t>(types.size()));
  if (added) types.push_back({type, 0, 0});
  types[found->second].count += times;
}

}  // namespace slice
