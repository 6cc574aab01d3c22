#include "trainer/evaluation/relation_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "common/random.h"

namespace slice {
namespace {

// Rows of `relations` relations; the gain of weight w is -(w - best)^2 / 10
// plus noise, with the best weight of each relation in `best`.
WeightTrials Make(const std::vector<size_t>& best, size_t rows_of_each,
                  double noise) {
  WeightTrials trials{.weights = 5};
  Random random(3);
  for (size_t relation = 0; relation < best.size(); ++relation) {
    for (size_t row = 0; row < rows_of_each; ++row) {
      trials.relations.push_back(static_cast<RelationId>(relation));
      trials.groups.push_back(trials.relations.size());
      for (size_t w = 0; w < trials.weights; ++w) {
        const double from_best =
            static_cast<double>(w) - double(best[relation]);
        trials.gains.push_back(static_cast<float>(
            -from_best * from_best / 10 + noise * (random.Uniform() - 0.5)));
      }
    }
  }
  return trials;
}

TEST(RelationWeightsTest, RelationsThatDifferGetTheirOwnWeights) {
  const auto choice = ChooseRelationWeights(Make({4, 1, 3}, 100, 0.1), 4);
  EXPECT_EQ(choice.by_relation[0], 4u);
  EXPECT_EQ(choice.by_relation[1], 1u);
  EXPECT_EQ(choice.by_relation[2], 3u);
  EXPECT_EQ(choice.by_relation[3], choice.common);  // it has no row
  EXPECT_LT(choice.shrinkage, 100);
  EXPECT_TRUE(choice.gain.IsClearGain());
}

// With few rows, what a relation seems to want is noise.
TEST(RelationWeightsTest, FewNoisyRowsFollowTheOthers) {
  const std::vector<size_t> alike(40, 2);
  const auto choice = ChooseRelationWeights(Make(alike, 3, 4.0), alike.size());
  EXPECT_EQ(choice.common, 2u);
  size_t common = 0;
  for (const size_t weight : choice.by_relation) common += weight == 2;
  EXPECT_GE(common, 30u);
}

TEST(RelationWeightsTest, NothingIsGainedWhereNoWeightHelps) {
  const auto choice = ChooseRelationWeights(Make({0, 0}, 100, 0.1), 2);
  EXPECT_EQ(choice.common, 0u);
  EXPECT_FALSE(choice.gain.IsClearGain());
}

TEST(RelationWeightsTest, NoRowsGiveTheFirstWeight) {
  const auto choice = ChooseRelationWeights({.weights = 3}, 2);
  EXPECT_EQ(choice.by_relation, (std::vector<size_t>{0, 0}));
  EXPECT_EQ(choice.gain.mean, 0);
}

}  // namespace
}  // namespace slice
