// What the path rules together say of one link.
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

  // Adds a rule whose path joins the ends `count` times.
  void Add(const PathRules& rules, size_t rule, double count);

  //   to_target.noisy_or  for a known source: sum of -log(1 - confidence). That
  //                       is -log of the chance that every rule errs, if rules
  //                       were independent.
  //   to_target.best      for a known source: the highest confidence
  //   to_source.noisy_or  the same for a known target
  //   to_source.best
  //   count               log1p of the number of rules
  void Write(std::span<float, kFeatures> values) const;

  std::array<float, 2> noisy_or = {0, 0};  // by known end, as in Confidences
  std::array<float, 2> best = {0, 0};
  float rules = 0;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_RULE_EVIDENCE_H_
