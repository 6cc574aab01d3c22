#include "trainer/evaluation/off_schema_limit.h"

#include <gtest/gtest.h>

#include <vector>

namespace slice {
namespace {

// `count` pairs with logits spread evenly over [low, high].
std::vector<DecidedPair> Spread(int count, double low, double high,
                                bool off_schema, bool positive) {
  std::vector<DecidedPair> pairs;
  for (int i = 0; i < count; ++i) {
    DecidedPair pair;
    pair.logit = low + (high - low) * i / (count - 1);
    pair.flags.off_schema_target = off_schema;
    pair.positive = positive;
    pairs.push_back(pair);
  }
  return pairs;
}

TEST(OffSchemaLimitTest, NoMarginWhenFewAreCalledLinks) {
  const auto impossible = Spread(1000, -10, -1, true, false);
  EXPECT_EQ(LimitOffSchema(impossible, {}, OutputReading()), 0);
}

TEST(OffSchemaLimitTest, TheMarginIsAsLargeAsTheLimitAsksFor) {
  // A logit above 0 is called a link: half of the pairs.
  const auto impossible = Spread(1000, -2, 2, true, false);
  const auto valid = Spread(1000, 1, 5, false, true);
  const double margin = LimitOffSchema(impossible, valid, OutputReading());
  EXPECT_GE(margin, 1.96);
  EXPECT_LT(margin, 2.3);
}

// True links off schema stop it before their answers turn.
TEST(OffSchemaLimitTest, GoesNoFurtherThanValidAllows) {
  const auto impossible = Spread(1000, -6, 6, true, false);
  std::vector<DecidedPair> valid = Spread(2000, 2, 2.2, true, true);
  for (const DecidedPair& row : Spread(2000, -5, -1, false, false)) {
    valid.push_back(row);
  }
  const double margin = LimitOffSchema(impossible, valid, OutputReading());
  EXPECT_GE(margin, 1.5);
  EXPECT_LE(margin, 2.2);
}

TEST(OffSchemaLimitTest, TheMarginRaisesTheThresholdOfPairsOffSchemaAlone) {
  OutputReading reading;
  reading.off_schema_margin = 2;
  EXPECT_EQ(reading.Threshold(0, {}), 0.5);
  EXPECT_EQ(reading.Threshold(0, {.self = true}), 0.5);
  EXPECT_NEAR(LogOdds(reading.Threshold(0, {.off_schema_source = true})), 2,
              1e-12);
}

}  // namespace
}  // namespace slice
