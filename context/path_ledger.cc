// The lister visits the same nodes as PathEvidence, in the same samples, and
// writes down for each choice of inner nodes (a walk) which types its paths
// have. A kind of path (context/path_sums.h) is a property of a type, so Sum()
// needs no graph: a walk belongs to a kind when one of its kept types does.
//
// A walk of three links with a, b and c parallel links has a b c types. They
// are not listed one by one. A bit says of each tracked type whether the walk
// has it, and the kinds of all other types follow from counting: of the types
// of a kind that the walk has, how many are tracked?
#include "context/path_ledger.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "context/end_neighborhood.h"
#include "context/neighbor_sample.h"

namespace slice {
namespace {

constexpr size_t kMostTracked = 64;

// The bits of TypeEntry::kinds. The letters are those of context/path_sums.h.
enum Kind : uint8_t {
  kFirst = 1,        // the first link travels r
  kLast = 2,         // the last link travels r
  kBoth = 4,         // first and last link travel r
  kReturns = 8,      // r, back by r, r
  kFirstAlike = 16,  // r, then to and fro; of two links: to and fro
  kLastAlike = 32,   // to and fro, then r
};
constexpr int kKinds = 6;

uint8_t KindsOf(const PathType& type, int32_t r) {
  const auto& [first, second, third] = type;
  uint8_t kinds = 0;
  if (LengthOf(type) == 1) return kinds;
  const bool two = LengthOf(type) == 2;
  const bool ends = two ? second == r : third == r;
  if (first == r) kinds |= kFirst;
  if (ends) kinds |= kLast;
  if (two) return kinds | (second == -first ? kFirstAlike : 0);
  if (first == r && ends) kinds |= kBoth;
  if (first == r && second == -r && ends) kinds |= kReturns;
  if (first == r && third == -second) kinds |= kFirstAlike;
  if (ends && second == -first) kinds |= kLastAlike;
  return kinds;
}

using Steps = absl::InlinedVector<int32_t, 8>;  // signed relations

bool Has(const Steps& steps, int32_t step) {
  return std::find(steps.begin(), steps.end(), step) != steps.end();
}

}  // namespace

// The steps that fill a ledger. The index of each end's neighbours takes memory
// in proportion to the graph, so it is kept per thread.
class PathLedger::Lister {
 public:
  Lister(const GraphView& view, const Link& link, const PathFanOut& fan_out,
         PathLedger& ledger)
      : view_(view),
        link_(link),
        r_(SignedRelation(link.relation, Direction::kOut)),
        fan_out_(fan_out),
        ledger_(ledger) {
    source_.Open(view, link.source, fan_out.common);
    const size_t followed = std::min(source_.degree(), fan_out.first);
    target_.Open(
        view, link.target,
        std::min(source_.degree(), fan_out.common) + followed * fan_out.second);
    ledger.source_degree_ = source_.degree();
    ledger.target_degree_ = target_.degree();
  }

  void ListAll(std::span<const PathType> tracked) {
    for (const PathType& type : tracked) {
      if (LengthOf(type) == 3 && ledger_.tracked_.size() < kMostTracked) {
        ledger_.tracked_.push_back({type, KindsOf(type, r_), 0});
      }
    }
    if (link_.source != link_.target) ListDirect();
    ListTwoPaths();
    if (target_.degree() > 0) ListThreePaths();
    ledger_.FindRules(ledger_.types_);
    ledger_.FindRules(rule_types_);
  }

 private:
  // The relations by which paths take their first or last step.
  struct EndStep {
    Steps steps;
    uint64_t tracked = 0;       // bits: the tracked types that take one of them
    bool has_relation = false;  // whether r_ is one of them
    double root = 1;            // 1 / sqrt(degree) of the inner node
  };

  void AddType(const PathType& type, double times);
  void ListDirect();
  void ListTwoPaths();
  void AddTwoPath(NodeId x, double times);
  void ListThreePaths();
  void ListThreePathsOver(NodeId x, double stride);
  void FinishStep(NodeId inner, size_t position, EndStep& step) const;
  const EndStep& LastStepFrom(NodeId y);
  void AddThreePath(NodeId x, NodeId y, double times);
  void CountRules(const EndStep& last, double times);
  void CountRule(const PathType& type, double times);
  void SetOthers(const EndStep& last, ThreeWalkTypes& walk) const;

  static thread_local EndNeighborhood source_, target_;
  const GraphView& view_;
  const Link link_;
  const int32_t r_;
  const PathFanOut fan_out_;
  PathLedger& ledger_;
  absl::flat_hash_map<PathType, uint32_t> index_, rule_index_;
  absl::flat_hash_map<ThreeWalkTypes, size_t> three_index_;  // in three_
  std::vector<TypeEntry> rule_types_;                        // of three links
  // Of the walk u - x - y - v at hand. Many walks have the same last step.
  EndStep first_;
  Steps second_;
  std::vector<EndStep> last_steps_;
  absl::flat_hash_map<NodeId, uint32_t> last_step_index_;  // by y
};

thread_local EndNeighborhood PathLedger::Lister::source_;
thread_local EndNeighborhood PathLedger::Lister::target_;

void PathLedger::Lister::AddType(const PathType& type, double times) {
  std::vector<TypeEntry>& types = ledger_.types_;
  const auto [found, added] =
      index_.try_emplace(type, static_cast<uint32_t>(types.size()));
  if (added) types.push_back({type, KindsOf(type, r_), 0});
  types[found->second].count += times;
  ledger_.walk_types_.push_back(found->second);
}

void PathLedger::Lister::ListDirect() {
  view_.ForEachArcBetween(link_.source, link_.target,
                          [&](RelationId relation, Direction way) {
                            AddType({SignedRelation(relation, way), 0, 0}, 1);
                          });
}

void PathLedger::Lister::ListTwoPaths() {
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

void PathLedger::Lister::AddTwoPath(NodeId x, double times) {
  if (x == link_.source || x == link_.target) return;
  const auto begin = static_cast<uint32_t>(ledger_.walk_types_.size());
  source_.AnyRelation(x, [&](int32_t from_source) {
    target_.AnyRelation(x, [&](int32_t from_target) {
      AddType({from_source, -from_target, 0}, times);
      return false;
    });
    return false;
  });
  const double degree = static_cast<double>(view_.NeighborCount(x));
  ledger_.two_.push_back({times, 1 / degree, begin,
                          static_cast<uint32_t>(ledger_.walk_types_.size())});
}

void PathLedger::Lister::ListThreePaths() {
  const double stride = Stride(source_.degree(), fan_out_.first);
  ForEachSampled(source_.neighbors(), fan_out_.first, [&](NodeId x) {
    if (x != link_.target) ListThreePathsOver(x, stride);
  });
}

void PathLedger::Lister::ListThreePathsOver(NodeId x, double stride) {
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
void PathLedger::Lister::FinishStep(NodeId inner, size_t position,
                                    EndStep& step) const {
  step.tracked = 0;
  for (size_t i = 0; i < ledger_.tracked_.size(); ++i) {
    if (Has(step.steps, ledger_.tracked_[i].type[position])) {
      step.tracked |= uint64_t{1} << i;
    }
  }
  step.has_relation = Has(step.steps, r_);
  step.root = 1 / std::sqrt(static_cast<double>(view_.NeighborCount(inner)));
}

const PathLedger::Lister::EndStep& PathLedger::Lister::LastStepFrom(NodeId y) {
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

void PathLedger::Lister::AddThreePath(NodeId x, NodeId y, double times) {
  second_.clear();
  view_.ForEachArcBetween(x, y, [&](RelationId relation, Direction way) {
    second_.push_back(SignedRelation(relation, way));
  });
  const EndStep& last = LastStepFrom(y);
  ThreeWalkTypes walk;
  for (uint64_t left = first_.tracked & last.tracked; left != 0;
       left &= left - 1) {
    TypeEntry& entry =
        ledger_.tracked_[static_cast<size_t>(std::countr_zero(left))];
    if (!Has(second_, entry.type[1])) continue;
    walk.tracked |= left & -left;
    entry.count += times;
  }
  SetOthers(last, walk);
  if (ledger_.rules_ != nullptr) CountRules(last, times);
  std::vector<ThreeWalks>& walks = ledger_.three_;
  const auto [found, added] = three_index_.try_emplace(walk, walks.size());
  if (added) walks.push_back({walk, {}});
  walks[found->second].sums.Add(times, first_.root * last.root);
}

// For each kind: how many types of the walk belong to it, less the tracked
// ones.
void PathLedger::Lister::SetOthers(const EndStep& last,
                                   ThreeWalkTypes& walk) const {
  const bool begins = first_.has_relation, ends = last.has_relation;
  const size_t firsts = first_.steps.size(), seconds = second_.size(),
               lasts = last.steps.size();
  size_t first_alike = 0, last_alike = 0;
  for (const int32_t step : second_) {
    if (begins) first_alike += Has(last.steps, -step) ? 1 : 0;
    if (ends) last_alike += Has(first_.steps, -step) ? 1 : 0;
  }
  size_t all = firsts * seconds * lasts;
  // In the order of the bits of Kind.
  size_t counts[kKinds] = {begins ? seconds * lasts : 0,
                           ends ? firsts * seconds : 0,
                           begins && ends ? seconds : 0,
                           begins && ends && Has(second_, -r_) ? size_t{1} : 0,
                           first_alike,
                           last_alike};
  for (uint64_t left = walk.tracked; left != 0; left &= left - 1) {
    const uint8_t kinds =
        ledger_.tracked_[static_cast<size_t>(std::countr_zero(left))].kinds;
    --all;
    for (int kind = 0; kind < kKinds; ++kind) counts[kind] -= kinds >> kind & 1;
  }
  walk.has_others = all > 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (counts[kind] > 0) walk.other_kinds |= static_cast<uint8_t>(1 << kind);
  }
}

// Counts the types (r, s, -s) and (s, -s, r), which alone may have rules.
void PathLedger::Lister::CountRules(const EndStep& last, double times) {
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

void PathLedger::Lister::CountRule(const PathType& type, double times) {
  std::vector<TypeEntry>& types = rule_types_;
  const auto [found, added] =
      rule_index_.try_emplace(type, static_cast<uint32_t>(types.size()));
  if (added) types.push_back({type, 0, 0});
  types[found->second].count += times;
}

PathLedger::PathLedger(const GraphView& view, const Link& link,
                       const PathFanOut& fan_out,
                       std::span<const PathType> tracked,
                       const PathRules* rules)
    : relation_(link.relation), rules_(rules) {
  Lister(view, link, fan_out, *this).ListAll(tracked);
}

void PathLedger::SumTwoPaths(const PathFilter& filter,
                             CommonNeighborSums& sums) const {
  std::vector<bool> kept(types_.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    kept[i] = filter.Keeps(types_[i].type);
  }
  for (const TwoWalk& walk : two_) {
    bool any = false;
    uint8_t kinds = 0;
    for (uint32_t i = walk.begin; i < walk.end; ++i) {
      if (!kept[walk_types_[i]]) continue;
      any = true;
      kinds |= types_[walk_types_[i]].kinds;
    }
    if (!any) continue;
    sums.all.Add(walk.times, walk.inverse);
    sums.adamic_adar += walk.times / std::log(std::max(1 / walk.inverse, 2.0));
    if (kinds & kFirst) sums.first_relation.Add(walk.times, walk.inverse);
    if (kinds & kLast) sums.last_relation.Add(walk.times, walk.inverse);
    if (kinds & kFirstAlike) sums.alike.Add(walk.times, walk.inverse);
  }
}

void PathLedger::SumThreePaths(const PathFilter& filter,
                               ThreePathEvidence& sums) const {
  uint64_t kept = 0;
  for (size_t i = 0; i < tracked_.size(); ++i) {
    if (filter.Keeps(tracked_[i].type)) kept |= uint64_t{1} << i;
  }
  const bool others = filter.lengths[3] == filter.keep_named;
  ThreePathSums* const of_kind[kKinds] = {
      &sums.first_relation,       &sums.last_relation,
      &sums.both_relations,       &sums.there_and_back,
      &sums.first_relation_alike, &sums.last_relation_alike};
  for (const auto& [types, walks] : three_) {
    uint64_t left = types.tracked & kept;
    if (left == 0 && !(others && types.has_others)) continue;
    uint8_t kinds = others ? types.other_kinds : 0;
    for (; left != 0; left &= left - 1) {
      kinds |= tracked_[static_cast<size_t>(std::countr_zero(left))].kinds;
    }
    sums.all.Add(walks);
    for (int kind = 0; kind < kKinds; ++kind) {
      if (kinds >> kind & 1) of_kind[kind]->Add(walks);
    }
  }
}

void PathLedger::FindRules(std::span<const TypeEntry> types) {
  if (rules_ == nullptr) return;
  for (const TypeEntry& entry : types) {
    const auto rule = rules_->Find({relation_, entry.type});
    if (rule) rule_types_.push_back({entry.type, *rule, entry.count});
  }
}

void PathLedger::SumRules(const PathFilter& filter,
                          RuleEvidence& evidence) const {
  for (const RuleEntry& entry : rule_types_) {
    if (filter.Keeps(entry.type)) {
      evidence.Add(*rules_, entry.rule, entry.count);
    }
  }
}

LedgerSums PathLedger::Sum(const PathFilter& filter) const {
  const int32_t r = SignedRelation(relation_, Direction::kOut);
  LedgerSums sums;
  for (const TypeEntry& entry : types_) {
    if (LengthOf(entry.type) != 1 || !filter.Keeps(entry.type)) continue;
    (entry.type[0] > 0 ? sums.forward : sums.backward) += 1;
    sums.backward_alike += entry.type[0] == -r;
  }
  SumTwoPaths(filter, sums.paths.common);
  SumThreePaths(filter, sums.paths.three);
  SumRules(filter, sums.paths.rules);
  return sums;
}

int PathLedger::Shortest(const PathFilter& filter) const {
  int shortest = 0;
  const auto find = [&](const std::vector<TypeEntry>& types) {
    for (const TypeEntry& entry : types) {
      const int length = LengthOf(entry.type);
      if (entry.count > 0 && (shortest == 0 || length < shortest) &&
          filter.Keeps(entry.type)) {
        shortest = length;
      }
    }
  };
  find(types_);
  if (shortest == 0) find(tracked_);
  if (shortest > 0 || filter.lengths[3] != filter.keep_named) return shortest;
  return std::any_of(three_.begin(), three_.end(),
                     [](const auto& walks) { return walks.types.has_others; })
             ? 3
             : 0;
}

size_t PathLedger::types(int length) const {
  const auto count = [&](const std::vector<TypeEntry>& types) {
    return static_cast<size_t>(
        std::count_if(types.begin(), types.end(), [&](const TypeEntry& entry) {
          return LengthOf(entry.type) == length && entry.count > 0;
        }));
  };
  if (length < 3) return count(types_);
  const bool others =
      std::any_of(three_.begin(), three_.end(),
                  [](const auto& walks) { return walks.types.has_others; });
  return count(tracked_) + (others ? 1 : 0);
}

double PathLedger::paths(int length) const {
  double count = 0;
  if (length == 2) {
    for (const TwoWalk& walk : two_) count += walk.times;
  } else if (length == 3) {
    for (const ThreeWalks& walks : three_) count += walks.sums.count;
  }
  return count;
}

}  // namespace slice
