#include "context/rule_counter.h"

#include <cstdlib>
#include <utility>

namespace slice {
namespace {

// The position of a signed relation in Returns::counts.
size_t ReturnIndex(int32_t step) {
  return 2 * static_cast<size_t>(std::abs(step)) + (step < 0 ? 1 : 0);
}

}  // namespace

void RuleCounter::Open(const PathRules& rules, RelationId relation) {
  for (const uint32_t rule : counted_) counts_[rule] = 0;
  counted_.clear();
  for (Returns& returns : returns_) {
    for (const int32_t step : returns.counted) {
      returns.counts[ReturnIndex(step)] = 0;
    }
    returns.counted.clear();
  }
  if (counts_.size() < rules.rules().size()) {
    counts_.resize(rules.rules().size());
  }
  rules_ = &rules;
  relation_ = relation;
}

void RuleCounter::Add(const PathType& path, double times) {
  const auto rule = rules_->Find({relation_, path});
  if (!rule) return;
  if (counts_[*rule] == 0) counted_.push_back(*rule);
  counts_[*rule] += times;
}

void RuleCounter::AddToAndFro(ToAndFro when, int32_t signed_relation,
                              double times) {
  Returns& returns = returns_[static_cast<size_t>(when)];
  const size_t at = ReturnIndex(signed_relation);
  if (at >= returns.counts.size()) returns.counts.resize(at + 1);
  if (returns.counts[at] == 0) returns.counted.push_back(signed_relation);
  returns.counts[at] += times;
}

RuleEvidence RuleCounter::Sum() {
  const int32_t asked = SignedRelation(relation_, Direction::kOut);
  for (const ToAndFro when : {ToAndFro::kBefore, ToAndFro::kAfter}) {
    Returns& returns = returns_[static_cast<size_t>(when)];
    for (const int32_t step : returns.counted) {
      const PathType path = when == ToAndFro::kBefore
                                ? PathType{step, -step, asked}
                                : PathType{asked, step, -step};
      Add(path, std::exchange(returns.counts[ReturnIndex(step)], 0.0));
    }
    returns.counted.clear();
  }
  RuleEvidence evidence;
  for (const uint32_t rule : counted_) {
    evidence.Add(*rules_, rule, counts_[rule]);
  }
  return evidence;
}

}  // namespace slice
