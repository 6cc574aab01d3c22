#include "context/rule_propagation.h"

#include <algorithm>

namespace slice {

RulePropagation::RulePropagation(const GraphSnapshot& snapshot,
                                 const PathRules& rules)
    : rules_(&rules), counter_(snapshot), evidence_(snapshot.node_count()) {}

void RulePropagation::Run(const EndQuestion& question) {
  std::fill(evidence_.begin(), evidence_.end(), RuleEvidence());
  const auto [begin, end] = rules_->RangeOf(question.relation);
  for (size_t rule = begin; rule < end; ++rule) {
    const PathType& path = rules_->rules()[rule].path;
    if (path[1] == 0) continue;
    const PathType from_anchor =
        question.direction == Direction::kOut ? path : Reversed(path);
    for (const auto& [node, count] :
         counter_.Count(question.anchor, from_anchor)) {
      evidence_[node].Add(*rules_, rule, count);
    }
  }
}

}  // namespace slice
