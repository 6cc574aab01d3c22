#include "model/semantic_association_matrix.h"

#include <gtest/gtest.h>

#include <vector>

#include "common/random.h"

namespace slice {
namespace {

SemanticAssociationMatrix RandomAttention(int layers, int heads, int tokens,
                                          uint64_t seed) {
  Random random(seed);
  SemanticAssociationMatrix matrix{layers, heads, tokens, {}};
  for (int row = 0; row < layers * heads * tokens; ++row) {
    std::vector<double> weights(tokens);
    double sum = 0;
    for (double& weight : weights) sum += weight = random.Uniform() + 0.01;
    for (double weight : weights) {
      matrix.weights.push_back(static_cast<float>(weight / sum));
    }
  }
  return matrix;
}

TEST(RolloutTest, RowsSumToOne) {
  for (int layers : {1, 2, 4}) {
    const auto matrix = RandomAttention(layers, 3, 5, layers);
    const std::vector<float> rollout = matrix.Rollout();
    ASSERT_EQ(rollout.size(), 25u);
    for (int i = 0; i < 5; ++i) {
      float sum = 0;
      for (int j = 0; j < 5; ++j) sum += rollout[i * 5 + j];
      EXPECT_NEAR(sum, 1.0f, 1e-5);
    }
  }
}

TEST(RolloutTest, OneLayerIsTheMeanOfHeadsAndTheResidual) {
  SemanticAssociationMatrix matrix{1,
                                   2,
                                   2,
                                   {1.0f, 0.0f, 0.0f, 1.0f,  // head 0
                                    0.0f, 1.0f, 1.0f, 0.0f}};
  const std::vector<float> expected = {0.75f, 0.25f, 0.25f, 0.75f};
  EXPECT_EQ(matrix.Rollout(), expected);
}

TEST(RolloutTest, WithoutLayersEveryTokenKeepsToItself) {
  SemanticAssociationMatrix matrix{0, 4, 2, {}};
  const std::vector<float> expected = {1.0f, 0.0f, 0.0f, 1.0f};
  EXPECT_EQ(matrix.Rollout(), expected);
}

}  // namespace
}  // namespace slice
