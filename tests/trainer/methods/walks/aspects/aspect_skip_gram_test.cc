#include "trainer/methods/walks/aspects/aspect_skip_gram.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/random.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

// The odd numbers leave a rest behind vectors of any width.
constexpr size_t kNodes = 8, kDim = 19, kAspects = 3;
constexpr NodeId kUnused = 7;  // is in no window

std::vector<float> RandomNumbers(size_t count, Random& random) {
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = static_cast<float>(random.Uniform() - 0.5);
  }
  return numbers;
}

AspectModel RandomModel(uint64_t seed, size_t nodes = kNodes) {
  Random random(seed);
  AspectModel model;
  model.dim = kDim;
  model.aspects = kAspects;
  model.centres = RandomNumbers(nodes * kDim, random);
  model.values = RandomNumbers(nodes * kAspects * kDim, random);
  return model;
}

void AddWindow(NodeId centre, const std::vector<NodeId>& context,
               const std::vector<NodeId>& noise, Random& random,
               AspectBatch& batch) {
  batch.centres.push_back(centre);
  batch.context_counts.push_back(static_cast<uint32_t>(context.size()));
  batch.nodes.insert(batch.nodes.end(), context.begin(), context.end());
  batch.nodes.insert(batch.nodes.end(), noise.begin(), noise.end());
  batch.begins.push_back(static_cast<uint32_t>(batch.nodes.size()));
  for (size_t s = 0; s < kAspects; ++s) {
    batch.gumbel.push_back(static_cast<float>(2 * random.Uniform() - 0.5));
  }
}

// Windows with one centre twice, with a node twice, with the centre in its own
// context, and without noise.
AspectBatch SomeWindows(uint64_t seed) {
  Random random(seed);
  AspectBatch batch;
  AddWindow(4, {0, 1, 0}, {2, 5, 2, 6}, random, batch);
  AddWindow(2, {4}, {}, random, batch);
  AddWindow(4, {3, 4}, {6}, random, batch);
  return batch;
}

double Product(const float* a, const float* b) {
  double sum = 0;
  for (size_t k = 0; k < kDim; ++k) sum += static_cast<double>(a[k]) * b[k];
  return sum;
}

const float* Aspect(const AspectModel& model, NodeId node, size_t s) {
  return &model.values[(node * model.aspects + s) * kDim];
}

std::vector<double> SharesByHand(const AspectModel& model,
                                 const AspectBatch& batch, size_t window,
                                 double temperature) {
  const float* const centre = &model.centres[batch.centres[window] * kDim];
  const size_t contexts = batch.context_counts[window];
  std::vector<double> shares;
  double sum = 0;
  for (size_t s = 0; s < model.aspects; ++s) {
    std::vector<float> mean(kDim);
    for (const NodeId node : batch.NodesOf(window).first(contexts)) {
      for (size_t k = 0; k < kDim; ++k) {
        mean[k] += Aspect(model, node, s)[k] / static_cast<float>(contexts);
      }
    }
    shares.push_back(std::exp((Product(centre, mean.data()) +
                               batch.gumbel[window * model.aspects + s]) /
                              temperature));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

double LogSigmoid(double x) { return -std::log(1 + std::exp(-x)); }

// The loss of the windows by its definition, in double precision.
double LossByHand(const AspectModel& model, const AspectBatch& batch,
                  const AspectLossOptions& options) {
  double loss = 0;
  for (size_t window = 0; window < batch.windows(); ++window) {
    const std::vector<double> shares =
        SharesByHand(model, batch, window, options.temperature);
    const float* const centre = &model.centres[batch.centres[window] * kDim];
    const auto nodes = batch.NodesOf(window);
    for (size_t s = 0; s < model.aspects; ++s) {
      for (size_t i = 0; i < nodes.size(); ++i) {
        const double product = Product(centre, Aspect(model, nodes[i], s));
        loss -=
            shares[s] *
            LogSigmoid(i < batch.context_counts[window] ? product : -product);
      }
    }
  }
  return loss;
}

double DiversityByHand(const AspectModel& model, const AspectBatch& batch,
                       const AspectLossOptions& options) {
  double sum = 0;
  for (NodeId node = 0; node < kNodes; ++node) {
    if (std::find(batch.nodes.begin(), batch.nodes.end(), node) ==
        batch.nodes.end()) {
      continue;
    }
    for (size_t s = 0; s < model.aspects; ++s) {
      for (size_t t = s + 1; t < model.aspects; ++t) {
        const float *const a = Aspect(model, node, s), *const b = Aspect(
                                                           model, node, t);
        const double cosine =
            Product(a, b) / std::sqrt(Product(a, a) * Product(b, b));
        if (std::abs(cosine) >= options.diversity_threshold) {
          sum += std::abs(cosine);
        }
      }
    }
  }
  return options.diversity_weight * sum;
}

class AspectSkipGramTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  // Central differences of the whole loss by one number of the model.
  double Slope(float& number) {
    constexpr float kStep = 1e-3f;
    const auto loss = [&] {
      return LossByHand(model_, batch_, options_) +
             DiversityByHand(model_, batch_, options_);
    };
    const float value = number, above = value + kStep, below = value - kStep;
    number = above;
    const double loss_above = loss();
    number = below;
    const double loss_below = loss();
    number = value;
    return (loss_above - loss_below) / (static_cast<double>(above) - below);
  }

  AspectModel model_ = RandomModel(GetParam());
  const AspectBatch batch_ = SomeWindows(GetParam() + 100);
  // The regulariser is strong, and acts on a part of the pairs.
  const AspectLossOptions options_ = {.temperature = 0.5,
                                      .diversity_weight = 0.5,
                                      .diversity_threshold = 0.15,
                                      .threads = 1};
};

TEST_P(AspectSkipGramTest, TheLossIsThatOfTheDefinition) {
  const AspectGradients gradients =
      DifferentiateAspects(model_, batch_, options_);
  EXPECT_NEAR(gradients.loss, LossByHand(model_, batch_, options_), 1e-5);
  const double diversity = DiversityByHand(model_, batch_, options_);
  EXPECT_NEAR(gradients.diversity, diversity, 1e-6);
  EXPECT_GT(diversity, 0);
  EXPECT_EQ(gradients.contexts, 6u);
}

TEST_P(AspectSkipGramTest, GradientsOfCentresAreThoseOfFiniteDifferences) {
  const AspectGradients gradients =
      DifferentiateAspects(model_, batch_, options_);
  ASSERT_EQ(gradients.centre_rows, (std::vector<uint32_t>{2, 4}));
  for (size_t i = 0; i < gradients.centre_rows.size(); ++i) {
    for (size_t k = 0; k < kDim; ++k) {
      EXPECT_NEAR(gradients.centres[i * kDim + k],
                  Slope(model_.centres[gradients.centre_rows[i] * kDim + k]),
                  2e-4);
    }
  }
}

TEST_P(AspectSkipGramTest, GradientsOfAspectsAreThoseOfFiniteDifferences) {
  const AspectGradients gradients =
      DifferentiateAspects(model_, batch_, options_);
  ASSERT_EQ(gradients.value_rows, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6}));
  constexpr size_t kWidth = kAspects * kDim;
  double largest = 0;
  for (size_t i = 0; i < gradients.value_rows.size(); ++i) {
    for (size_t k = 0; k < kWidth; ++k) {
      const double slope =
          Slope(model_.values[gradients.value_rows[i] * kWidth + k]);
      EXPECT_NEAR(gradients.values[i * kWidth + k], slope, 2e-4);
      largest = std::max(largest, std::abs(slope));
    }
  }
  EXPECT_GT(largest, 0.1);
  EXPECT_EQ(Slope(model_.values[kUnused * kWidth]), 0);
}

// With more windows and rows than a thread takes at once.
TEST_P(AspectSkipGramTest, ThreadsChangeNothing) {
  constexpr uint32_t kMany = 300;
  const AspectModel model = RandomModel(GetParam(), kMany);
  AspectLossOptions options = options_;
  AspectBatch batch;
  Random random(GetParam());
  for (int i = 0; i < 500; ++i) {
    const auto node = [&] { return random.Below(kMany); };
    AddWindow(node(), {node(), node()}, {node(), node()}, random, batch);
  }
  const AspectGradients one = DifferentiateAspects(model, batch, options);
  ASSERT_GT(one.value_rows.size(), 200u);
  options.threads = 3;
  const AspectGradients three = DifferentiateAspects(model, batch, options);
  EXPECT_EQ(one.loss, three.loss);
  EXPECT_EQ(one.diversity, three.diversity);
  EXPECT_EQ(one.centres, three.centres);
  EXPECT_EQ(one.values, three.values);
}

// With equal aspects every aspect has the loss of plain skip-gram, so that any
// shares of sum 1 give just this loss.
TEST_P(AspectSkipGramTest, SharesSumToOne) {
  AspectModel plain = model_;
  plain.aspects = 1;
  plain.values.resize(kNodes * kDim);
  for (NodeId node = 0; node < kNodes; ++node) {
    for (size_t s = 0; s < kAspects; ++s) {
      std::copy_n(&plain.values[node * kDim], kDim,
                  &model_.values[(node * kAspects + s) * kDim]);
    }
  }
  AspectBatch unweighted = batch_;
  unweighted.gumbel.assign(batch_.windows(), 0);
  EXPECT_NEAR(DifferentiateAspects(model_, batch_, options_).loss,
              DifferentiateAspects(plain, unweighted, options_).loss, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AspectSkipGramTest,
                         ::testing::Range<uint64_t>(1, 6));

TEST(DifferentiateAspects, NoiseOfAChoiceMayBeHuge) {
  const AspectModel model = RandomModel(1);
  AspectBatch batch = SomeWindows(2);
  for (size_t i = 0; i < batch.gumbel.size(); ++i) {
    batch.gumbel[i] = i % kAspects == 1 ? 2000.0f : -2000.0f;
  }
  AspectModel second = model;  // the second aspect alone
  second.aspects = 1;
  for (NodeId node = 0; node < kNodes; ++node) {
    std::copy_n(Aspect(model, node, 1), kDim, &second.values[node * kDim]);
  }
  second.values.resize(kNodes * kDim);
  AspectBatch plain = batch;
  plain.gumbel.assign(batch.windows(), 0);
  const AspectLossOptions options;
  EXPECT_NEAR(DifferentiateAspects(model, batch, options).loss,
              DifferentiateAspects(second, plain, options).loss, 1e-5);
}

TEST(DifferentiateAspects, AspectsBelowTheThresholdAreLeftAlone) {
  AspectModel model = RandomModel(3);
  const AspectBatch batch = SomeWindows(4);
  AspectLossOptions options;
  options.diversity_weight = 1;
  options.diversity_threshold = 0.999;
  EXPECT_EQ(DifferentiateAspects(model, batch, options).diversity, 0);
  // Two aspects of node 0 with the cosine -1, and an aspect without direction.
  for (size_t k = 0; k < kDim; ++k) {
    model.values[kDim + k] = -2 * model.values[k];
    model.values[2 * kDim + k] = 0;
  }
  EXPECT_NEAR(DifferentiateAspects(model, batch, options).diversity, 1, 1e-6);
  options.diversity_threshold = 0;
  EXPECT_TRUE(
      std::isfinite(DifferentiateAspects(model, batch, options).diversity));
  options.diversity_weight = 0;
  EXPECT_EQ(DifferentiateAspects(model, batch, options).diversity, 0);
}

TEST(AspectModel, MeansAreTakenOverTheAspects) {
  AspectModel model;
  model.dim = 2;
  model.aspects = 2;
  model.centres = {0, 0, 0, 0};
  model.values = {1, 2, 3, 6, -1, 0, 1, 5};
  EXPECT_EQ(model.MeanAspects(), (std::vector<float>{2, 4, 0, 2.5f}));
}

}  // namespace
}  // namespace slice
