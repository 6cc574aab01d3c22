#include "trainer/evaluation/off_schema_limit.h"

#include <gtest/gtest.h>

#include <memory>
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
  EXPECT_GE(margin, 1.94);
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

// It may cost what calibrating each relation has won.
TEST(OffSchemaLimitTest, GoesAsFarAsOneCalibrationForAllIsWorth) {
  const auto impossible = Spread(1000, -2, 2, true, false);
  std::vector<DecidedPair> valid = Spread(1000, 1, 3, true, true);
  for (DecidedPair row : Spread(2000, -3, -1, false, true)) {
    row.relation = 1;
    valid.push_back(row);
  }
  for (const DecidedPair& row : Spread(3000, -5, -4, false, false)) {
    valid.push_back(row);
  }
  OutputReading reading;
  const double without = LimitOffSchema(impossible, valid, reading);
  EXPECT_LE(without, 1);
  RelationReadings relations;
  relations.calibrations[0].resize(2);
  relations.calibrations[0][1].threshold = 0.02;  // the logit -3.9
  reading.relations = std::make_shared<const RelationReadings>(relations);
  EXPECT_GE(LimitOffSchema(impossible, valid, reading), 1.94);
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
