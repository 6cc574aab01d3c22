#include "context/rule_evidence.h"

#include <algorithm>

#include "context/log_count.h"

namespace slice {

std::span<const std::string_view, RuleEvidence::kFeatures>
RuleEvidence::FeatureNames() {
  static constexpr std::string_view kNames[kFeatures] = {
      "to_target.noisy_or", "to_target.best", "to_source.noisy_or",
      "to_source.best", "count"};
  return kNames;
}

void RuleEvidence::Add(const PathRules& path_rules, size_t rule, double count) {
  const size_t bucket = PathRules::BucketOf(count);
  for (const Direction known : {Direction::kOut, Direction::kIn}) {
    const float confidence = path_rules.confidence(rule, known, bucket);
    const auto at = static_cast<size_t>(known);
    noisy_or[at] += path_rules.log_term(rule, known, bucket);
    best[at] = std::max(best[at], confidence);
  }
  ++rules;
}

void RuleEvidence::Write(std::span<float, kFeatures> values) const {
  values[0] = noisy_or[0];
  values[1] = best[0];
  values[2] = noisy_or[1];
  values[3] = best[1];
  values[4] = static_cast<float>(LogCount(static_cast<size_t>(rules)));
}

}  // namespace slice
