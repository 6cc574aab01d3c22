// The paths are listed by PathLister. Whether a type of path is kept follows
// from the filter alone, so the sums need no graph.
#include "context/path_ledger.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "context/path_kinds.h"
#include "context/path_lister.h"

namespace slice {

PathLedger::PathLedger(const GraphView& view, const Link& link,
                       const PathFanOut& fan_out,
                       std::span<const PathType> tracked,
                       const PathRules* rules)
    : relation_(link.relation),
      rules_(rules),
      paths_(PathLister(view, link, fan_out).List(tracked, rules != nullptr)) {
  FindRules(paths_.types);
  FindRules(paths_.may_have_rules);
}

void PathLedger::SumTwoPaths(const PathFilter& filter,
                             CommonNeighborSums& sums) const {
  std::vector<bool> kept(paths_.types.size());
  for (size_t i = 0; i < paths_.types.size(); ++i) {
    kept[i] = filter.Keeps(paths_.types[i].type);
  }
  for (const TwoLinkWalk& walk : paths_.two) {
    bool any = false;
    uint8_t kinds = 0;
    for (uint32_t i = walk.begin; i < walk.end; ++i) {
      if (!kept[paths_.walk_types[i]]) continue;
      any = true;
      kinds |= paths_.types[paths_.walk_types[i]].kinds;
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
  for (size_t i = 0; i < paths_.tracked.size(); ++i) {
    if (filter.Keeps(paths_.tracked[i].type)) kept |= uint64_t{1} << i;
  }
  const bool others = filter.lengths[3] == filter.keep_named;
  ThreePathSums* const of_kind[kPathKinds] = {
      &sums.first_relation,       &sums.last_relation,
      &sums.both_relations,       &sums.there_and_back,
      &sums.first_relation_alike, &sums.last_relation_alike};
  for (const auto& [types, walks] : paths_.three) {
    uint64_t left = types.tracked & kept;
    if (left == 0 && !(others && types.has_others)) continue;
    uint8_t kinds = others ? types.other_kinds : 0;
    for (; left != 0; left &= left - 1) {
      kinds |=
          paths_.tracked[static_cast<size_t>(std::countr_zero(left))].kinds;
    }
    sums.all.Add(walks);
    for (int kind = 0; kind < kPathKinds; ++kind) {
      if (kinds >> kind & 1) of_kind[kind]->Add(walks);
    }
  }
}

void PathLedger::FindRules(std::span<const ListedType> types) {
  if (rules_ == nullptr) return;
  for (const ListedType& entry : types) {
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
  for (const ListedType& entry : paths_.types) {
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
  const auto find = [&](const std::vector<ListedType>& types) {
    for (const ListedType& entry : types) {
      const int length = LengthOf(entry.type);
      if (entry.count > 0 && (shortest == 0 || length < shortest) &&
          filter.Keeps(entry.type)) {
        shortest = length;
      }
    }
  };
  find(paths_.types);
  if (shortest == 0) find(paths_.tracked);
  if (shortest > 0 || filter.lengths[3] != filter.keep_named) return shortest;
  return std::any_of(paths_.three.begin(), paths_.three.end(),
                     [](const auto& walks) { return walks.types.has_others; })
             ? 3
             : 0;
}

size_t PathLedger::types(int length) const {
  const auto count = [&](const std::vector<ListedType>& types) {
    return static_cast<size_t>(
        std::count_if(types.begin(), types.end(), [&](const ListedType& entry) {
          return LengthOf(entry.type) == length && entry.count > 0;
        }));
  };
  if (length < 3) return count(paths_.types);
  const bool others =
      std::any_of(paths_.three.begin(), paths_.three.end(),
                  [](const auto& walks) { return walks.types.has_others; });
  return count(paths_.tracked) + (others ? 1 : 0);
}

double PathLedger::paths(int length) const {
  double count = 0;
  if (length == 1) {
    for (const ListedType& entry : paths_.types) {
      if (LengthOf(entry.type) == 1) count += entry.count;
    }
  } else if (length == 2) {
    for (const TwoLinkWalk& walk : paths_.two) count += walk.times;
  } else if (length == 3) {
    for (const ThreeLinkWalks& walks : paths_.three) count += walks.sums.count;
  }
  return count;
}

}  // namespace slice
