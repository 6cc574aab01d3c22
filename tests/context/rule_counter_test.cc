#include "context/rule_counter.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/context/two_rules.h"

namespace slice {
namespace {

TEST(RuleCounter, AddsUpWhatIndependentRulesSay) {
  const PathRules rules = TwoRules();
  RuleCounter counter;
  counter.Open(rules, 0);
  counter.Add({-2, 1, 0}, 1);
  counter.Add({-2, 1, 0}, 2);
  counter.AddToAndFro(RuleCounter::ToAndFro::kAfter, 2, 1);
  counter.Add({1, 1, 0}, 5);  // no rule
  std::array<float, RuleEvidence::kFeatures> values;
  counter.Sum().Write(values);
  EXPECT_NEAR(values[0], -std::log(0.4) - std::log(0.8), 1e-6);
  EXPECT_NEAR(values[1], 0.6, 1e-6);
  EXPECT_NEAR(values[2], -std::log(0.75) - std::log(0.9), 1e-6);
  EXPECT_NEAR(values[3], 0.25, 1e-6);
  EXPECT_NEAR(values[4], std::log(3), 1e-6);
  counter.Open(rules, 0);
  EXPECT_EQ(counter.Sum().rules, 0);
}

}  // namespace
}  // namespace slice
