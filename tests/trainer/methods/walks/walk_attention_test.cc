#include "trainer/methods/walks/walk_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

constexpr size_t kNodes = 7, kDim = 5, kSteps = 3, kNoise = 4;

WalkAttention RandomModel(uint64_t seed, size_t nodes = kNodes) {
  Random random(seed);
  const auto fill = [&](std::vector<float>& values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<float>(2 * random.Uniform() - 1));
    }
  };
  WalkAttention model;
  model.dim = kDim;
  fill(model.left, nodes * kDim);
  fill(model.right, nodes * kDim);
  fill(model.step_logits, kSteps);
  return model;
}

WalkSample RandomSample(uint64_t seed, uint32_t nodes = kNodes,
                        std::vector<NodeId> starts = {4, 0, 6, 1}) {
  Random random(seed);
  WalkSample sample;
  sample.steps = kSteps;
  sample.noise = kNoise;
  sample.starts = std::move(starts);
  for (size_t i = 0; i < sample.starts.size() * kSteps; ++i) {
    sample.visited.push_back(random.Below(nodes));
  }
  for (size_t i = 0; i < sample.starts.size() * kNoise; ++i) {
    sample.drawn.push_back(i % 5 == 0 ? kNoNode : random.Below(nodes));
  }
  return sample;
}

// The loss by its definition, in double precision.
double LossByHand(const WalkAttention& model, const WalkSample& sample,
                  const WalkLossOptions& options) {
  const auto product = [&](NodeId u, NodeId v) {
    double sum = 0;
    for (size_t k = 0; k < kDim; ++k) {
      sum += static_cast<double>(model.left[u * kDim + k]) *
             model.right[v * kDim + k];
    }
    return sum;
  };
  double exps = 0, loss = 0;
  for (const float logit : model.step_logits) exps += std::exp(logit);
  const auto starts = static_cast<double>(sample.starts.size());
  for (size_t i = 0; i < sample.starts.size(); ++i) {
    const NodeId u = sample.starts[i];
    for (size_t k = 0; k < kSteps; ++k) {
      const double share = std::exp(model.step_logits[k]) / exps;
      const double s = product(u, sample.visited[i * kSteps + k]);
      loss -= share * std::log(1 / (1 + std::exp(-s))) / starts;
    }
    for (size_t k = 0; k < kNoise; ++k) {
      const NodeId v = sample.drawn[i * kNoise + k];
      if (v == kNoNode) continue;
      const double s = product(u, v);
      loss -= options.non_links / kNoise *
              std::log(1 - 1 / (1 + std::exp(-s))) / starts;
    }
  }
  for (const float logit : model.step_logits) {
    loss += options.decay * logit * logit;
  }
  return loss;
}

class WalkAttentionTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  // Central differences of LossByHand by one number of the model.
  double Slope(float& number) {
    constexpr float kStep = 1e-3f;
    const float value = number;
    number = value + kStep;
    const double above = LossByHand(model_, sample_, options_);
    number = value - kStep;
    const double below = LossByHand(model_, sample_, options_);
    number = value;
    return (above - below) / (2 * kStep);
  }

  WalkAttention model_ = RandomModel(GetParam());
  const WalkSample sample_ = RandomSample(GetParam() + 100);
  const WalkLossOptions options_ = {.non_links = 3, .decay = 0.25};
};

TEST_P(WalkAttentionTest, TheLossIsThatOfTheDefinition) {
  EXPECT_NEAR(Differentiate(model_, sample_, options_).loss,
              LossByHand(model_, sample_, options_), 1e-6);
}

TEST_P(WalkAttentionTest, GradientsAreThoseOfFiniteDifferences) {
  const WalkGradients gradients = Differentiate(model_, sample_, options_);
  for (size_t i = 0; i < sample_.starts.size(); ++i) {
    for (size_t k = 0; k < kDim; ++k) {
      EXPECT_NEAR(gradients.left[i * kDim + k],
                  Slope(model_.left[sample_.starts[i] * kDim + k]), 1e-4);
    }
  }
  std::vector<bool> used(kNodes);
  for (size_t i = 0; i < gradients.rows.size(); ++i) {
    used[gradients.rows[i]] = true;
    for (size_t k = 0; k < kDim; ++k) {
      EXPECT_NEAR(gradients.right[i * kDim + k],
                  Slope(model_.right[gradients.rows[i] * kDim + k]), 1e-4);
    }
  }
  for (NodeId node = 0; node < kNodes; ++node) {
    if (!used[node]) EXPECT_EQ(Slope(model_.right[node * kDim]), 0);
  }
  for (size_t k = 0; k < kSteps; ++k) {
    EXPECT_NEAR(gradients.step_logits[k], Slope(model_.step_logits[k]), 1e-4);
  }
}

// With more starts and rows than a thread takes at once.
TEST_P(WalkAttentionTest, ThreadsChangeNothing) {
  constexpr uint32_t kMany = 300;
  std::vector<NodeId> starts(kMany);
  std::iota(starts.begin(), starts.end(), NodeId{0});
  const WalkAttention model = RandomModel(GetParam(), kMany);
  const WalkSample sample = RandomSample(GetParam(), kMany, starts);
  WalkLossOptions options = options_;
  const WalkGradients one = Differentiate(model, sample, options);
  ASSERT_GT(one.rows.size(), 200u);
  options.threads = 3;
  const WalkGradients three = Differentiate(model, sample, options);
  EXPECT_EQ(one.loss, three.loss);
  EXPECT_EQ(one.left, three.left);
  EXPECT_EQ(one.rows, three.rows);
  EXPECT_EQ(one.right, three.right);
  EXPECT_EQ(one.step_logits, three.step_logits);
}

INSTANTIATE_TEST_SUITE_P(Seeds, WalkAttentionTest,
                         ::testing::Range<uint64_t>(1, 6));

TEST(StepSharesTest, SumToOneWhateverTheLogits) {
  WalkAttention model;
  model.step_logits = {1000, 1001, -1000};
  const std::vector<double> shares = model.StepShares();
  EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-12);
  EXPECT_NEAR(shares[1] / shares[0], std::exp(1), 1e-9);
}

}  // namespace
}  // namespace slice
