// What all path rules together say of one link.
#ifndef SLICE_CONTEXT_RULE_EVIDENCE_H_
#define SLICE_CONTEXT_RULE_EVIDENCE_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "context/path_rules.h"

namespace slice {

struct RuleEvidence {
  static constexpr size_t kFeatures = 5;
  // In the order of Write().
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // Adds the rule at position `rule` of `rules`; `count` paths of its type join
  // the ends.
  void Add(const PathRules& rules, size_t rule, double count);

  // Writes the features:
  //   to_target.noisy_or  for a known source: the sum of -log(1 - confidence)
  //                       over the rules. That is -log of the chance that every
  //                       rule errs, if rules were independent.
  //   to_target.best      for a known source: the highest confidence of a rule
  //   to_source.noisy_or  as to_target.noisy_or, for a known target
  //   to_source.best      as to_target.best, for a known target
  //   count               log1p of the number of rules
  void Write(std::span<float, kFeatures> values) const;

  // By known end: [0] for a known source, [1] for a known target.
  std::array<float, 2> noisy_or = {0, 0};
  std::array<float, 2> best = {0, 0};
  float rules = 0;  // how many rules were added
};

}  // namespace slice

#endif  // SLICE_CONTEXT_RULE_EVIDENCE_H_
