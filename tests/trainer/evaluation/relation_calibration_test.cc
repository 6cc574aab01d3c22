#include "trainer/evaluation/relation_calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// `count` rows of one relation, whose true log-odds are scale * logit + offset.
void AddRows(RelationId relation, int count, double scale, double offset,
             Random& random, CalibrationRows& rows) {
  for (int i = 0; i < count; ++i) {
    const double logit = 8 * random.Uniform() - 4;
    rows.Add(logit, 0, random.Uniform() < Sigmoid(scale * logit + offset),
             relation);
  }
}

double MeanError(const Calibration& calibration, double scale, double offset) {
  double sum = 0;
  int count = 0;
  for (double logit = -4; logit <= 4; logit += 0.1, ++count) {
    sum += std::abs(calibration.Probability(logit) -
                    Sigmoid(scale * logit + offset));
  }
  return sum / count;
}

TEST(RelationCalibrationTest, FindsTheScalingOfLargeRelations) {
  Random random(1);
  CalibrationRows rows;
  AddRows(0, 5000, 1.5, 2, random, rows);
  AddRows(1, 5000, 0.5, -2, random, rows);
  const QuestionCalibrations fitted = CalibrateByRelation(rows, 3);
  EXPECT_LT(MeanError(fitted.relations[0], 1.5, 2), 0.02);
  EXPECT_LT(MeanError(fitted.relations[1], 0.5, -2), 0.02);
  EXPECT_EQ(fitted.relations[0].rows, 5000u);
  EXPECT_GT(fitted.shrinkage.offset_deviation, 0);
}

TEST(RelationCalibrationTest, ARelationWithoutRowsGetsTheCommonOne) {
  Random random(2);
  CalibrationRows rows;
  AddRows(0, 2000, 1, 1, random, rows);
  const QuestionCalibrations fitted = CalibrateByRelation(rows, 2);
  EXPECT_EQ(fitted.relations[1].temperature, fitted.all.temperature);
  EXPECT_EQ(fitted.relations[1].offset, fitted.all.offset);
  EXPECT_EQ(fitted.relations[1].rows, 0u);
}

TEST(RelationCalibrationTest, FewRowsMoveARelationLess) {
  Random random(3);
  CalibrationRows rows;
  AddRows(0, 3000, 1, 0, random, rows);
  AddRows(1, 5, 1, 3, random, rows);
  AddRows(2, 500, 1, 3, random, rows);
  const Calibration common = CalibrateTogether(rows);
  const auto relations =
      CalibrateRelations(rows, common, 3, {0.1, 0.5, true, 300});
  EXPECT_LT(std::abs(relations[1].offset - common.offset),
            std::abs(relations[2].offset - common.offset));
  EXPECT_LT(std::abs(relations[1].base_rate - common.base_rate),
            std::abs(relations[2].base_rate - common.base_rate));
}

TEST(RelationCalibrationTest, NoDeviationMeansTheCommonScaling) {
  Random random(4);
  CalibrationRows rows;
  AddRows(0, 300, 1, 2, random, rows);
  AddRows(1, 300, 1, -2, random, rows);
  const Calibration common = CalibrateTogether(rows);
  for (const Calibration& one : CalibrateRelations(rows, common, 2, {})) {
    EXPECT_DOUBLE_EQ(one.temperature, common.temperature);
    EXPECT_DOUBLE_EQ(one.offset, common.offset);
  }
}

// Where all relations are alike, nothing is gained by telling them apart.
TEST(RelationCalibrationTest, AlikeRelationsStayTogether) {
  Random random(5);
  CalibrationRows rows;
  for (RelationId r = 0; r < 40; ++r) AddRows(r, 50, 1, 0, random, rows);
  const QuestionCalibrations fitted = CalibrateByRelation(rows, 40);
  for (const Calibration& one : fitted.relations) {
    EXPECT_LT(MeanError(one, 1, 0), 0.06);
  }
}

// Thresholds per relation raise the accuracy where base rates differ.
TEST(RelationCalibrationTest, TellsRelationsOfDifferentBaseRatesApart) {
  Random random(6);
  CalibrationRows rows, fresh;
  for (RelationId r = 0; r < 6; ++r) {
    AddRows(r, 400, 1, r % 2 == 0 ? 3 : -3, random, rows);
    AddRows(r, 400, 1, r % 2 == 0 ? 3 : -3, random, fresh);
  }
  const QuestionCalibrations fitted = CalibrateByRelation(rows, 6);
  int together = 0, apart = 0;
  for (size_t i = 0; i < fresh.size(); ++i) {
    const auto right = [&](const Calibration& one) {
      return (one.Probability(fresh.logits[i]) >= one.threshold) ==
             (fresh.labels[i] != 0);
    };
    together += right(fitted.all);
    apart += right(fitted.relations[fresh.relations[i]]);
  }
  EXPECT_GT(apart, together + 100);
}

TEST(RelationCalibrationTest, RowsOfOneLabelFallBack) {
  CalibrationRows rows;
  for (int i = 0; i < 50; ++i) rows.Add(0.1 * i, 0, true, 0);
  const QuestionCalibrations fitted = CalibrateByRelation(rows, 1);
  EXPECT_EQ(fitted.all.rows, 0u);
  EXPECT_EQ(fitted.all.temperature, 1);
  EXPECT_EQ(fitted.all.threshold, 0.5);
  EXPECT_EQ(fitted.relations[0].threshold, 0.5);
  EXPECT_EQ(fitted.shrinkage, Shrinkage());
}

// What the schema prior adds is known, so the scaling does not make up for it.
TEST(RelationCalibrationTest, ShiftsAreNoPartOfTheScaling) {
  Random random(7);
  CalibrationRows rows;
  for (int i = 0; i < 4000; ++i) {
    const double logit = 8 * random.Uniform() - 4;
    const double shift = i % 2 == 0 ? -3 : 0;
    rows.Add(logit, shift, random.Uniform() < Sigmoid(logit + shift), 0);
  }
  const Calibration common = CalibrateTogether(rows);
  EXPECT_NEAR(common.temperature, 1, 0.1);
  EXPECT_NEAR(common.offset, 0, 0.15);
}

}  // namespace
}  // namespace slice
