// The gradient of ComplEx against a loss written with complex numbers in double
// precision, by central differences.
#include "trainer/methods/knowledge/complex_batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

constexpr size_t kDim = 6, kNodes = 40, kRelations = 3;

KnowledgeTables MakeTables() {
  auto tables = KnowledgeTables::Random(KnowledgeForm::kProduct, kDim, kNodes,
                                        kRelations, /*seed=*/7);
  Random random(8);
  for (float& value : tables.entities) {
    value = static_cast<float>(random.Uniform() - 0.5);
  }
  for (float& value : tables.relations) {
    value = static_cast<float>(random.Uniform() - 0.5);
  }
  return tables;
}

// 17 rivals, some of them answers, and answers that are no rivals. The answers
// of the last question compete with each other.
ComplexBatch MakeBatch() {
  ComplexBatch batch;
  for (uint32_t i = 0; i < 22; ++i) batch.entities.push_back((i * 7 + 3) % 40);
  batch.rivals = 17;
  batch.questions = {{0, 1, {4}, {4}},
                     {19, 5, {2, 20}, {2, 9, 16}},
                     {3, 0, {21}, {}},
                     {0, 5, {3, 18, 5}, {3, 5}},
                     {5, 2, {4, 21, 8}, {}}};
  batch.links = 10;
  return batch;
}

// The tables as complex numbers in double precision.
struct Numbers {
  std::vector<std::complex<double>> entities, relations;

  explicit Numbers(const KnowledgeTables& tables) {
    for (size_t node = 0; node < kNodes; ++node) {
      const auto row = tables.Entity(static_cast<NodeId>(node));
      for (size_t k = 0; k < kDim; k += 2) {
        entities.emplace_back(row[k], row[k + 1]);
      }
    }
    for (size_t i = 0; i < tables.relations.size(); i += 2) {
      relations.emplace_back(tables.relations[i], tables.relations[i + 1]);
    }
  }

  double Score(uint32_t anchor, uint32_t relation, uint32_t answer) const {
    std::complex<double> sum;
    for (size_t k = 0; k < kDim / 2; ++k) {
      sum += entities[anchor * kDim / 2 + k] *
             relations[relation * kDim / 2 + k] *
             std::conj(entities[answer * kDim / 2 + k]);
    }
    return sum.real();
  }
  static double Cubes(const std::vector<std::complex<double>>& table,
                      uint32_t row) {
    double sum = 0;
    for (size_t k = 0; k < kDim / 2; ++k) {
      sum += std::pow(std::abs(table[row * kDim / 2 + k]), 3);
    }
    return sum;
  }
};

double ReferenceLoss(const Numbers& numbers, const ComplexBatch& batch,
                     const ComplexLoss& loss) {
  double total = 0;
  for (const ComplexQuestion& question : batch.questions) {
    const uint32_t anchor = batch.entities[question.anchor];
    for (const uint32_t place : question.answers) {
      double rivals = 0;
      for (uint32_t c = 0; c < batch.rivals; ++c) {
        if (c == place ||
            std::count(question.known.begin(), question.known.end(), c) > 0) {
          continue;
        }
        rivals += std::exp(
            numbers.Score(anchor, question.relation, batch.entities[c]));
      }
      const uint32_t answer = batch.entities[place];
      const double score = numbers.Score(anchor, question.relation, answer);
      total += std::log(std::exp(score) + rivals) - score;
      double relations = 0;
      for (uint32_t r = 0; r < 2 * kRelations; ++r) {
        relations += std::exp(numbers.Score(anchor, r, answer));
      }
      total += loss.relation_prediction * (std::log(relations) - score);
      total += loss.n3 * (Numbers::Cubes(numbers.entities, anchor) +
                          Numbers::Cubes(numbers.entities, answer) +
                          Numbers::Cubes(numbers.relations, question.relation));
    }
  }
  return total;
}

// The gradient of the reference by each number of a table, by node or relation.
std::vector<double> Differences(
    std::vector<std::complex<double>> Numbers::*table, Numbers numbers,
    const ComplexBatch& batch, const ComplexLoss& loss) {
  constexpr double kStep = 1e-5;
  std::vector<double> gradient;
  for (std::complex<double>& number : numbers.*table) {
    for (const std::complex<double> step :
         {std::complex<double>(kStep, 0), std::complex<double>(0, kStep)}) {
      const std::complex<double> kept = number;
      number = kept + step;
      const double above = ReferenceLoss(numbers, batch, loss);
      number = kept - step;
      const double below = ReferenceLoss(numbers, batch, loss);
      number = kept;
      gradient.push_back((above - below) / (2 * kStep) /
                         static_cast<double>(batch.links));
    }
  }
  return gradient;
}

class ComplexBatchTest : public testing::TestWithParam<ComplexLoss> {};

TEST_P(ComplexBatchTest, TheGradientIsThatOfTheLoss) {
  const KnowledgeTables tables = MakeTables();
  const ComplexBatch batch = MakeBatch();
  const ComplexLoss& loss = GetParam();
  const double tolerance = loss.bfloat16 ? 5e-3 : 1e-5;
  const ComplexGradients gradients = Differentiate(tables, batch, 0, 5, loss);
  const Numbers numbers(tables);
  EXPECT_NEAR(gradients.loss, ReferenceLoss(numbers, batch, loss),
              200 * tolerance);
  // By places, while the reference is by nodes.
  const auto entities = Differences(&Numbers::entities, numbers, batch, loss);
  std::vector<double> by_node(kNodes * kDim);
  for (size_t i = 0; i < batch.entities.size() * kDim; ++i) {
    by_node[batch.entities[i / kDim] * kDim + i % kDim] +=
        gradients.entities[i];
  }
  for (size_t i = 0; i < by_node.size(); ++i) {
    EXPECT_NEAR(by_node[i], entities[i], tolerance) << i;
  }
  const auto relations = Differences(&Numbers::relations, numbers, batch, loss);
  ASSERT_EQ(gradients.relations.size(), relations.size());
  for (size_t i = 0; i < relations.size(); ++i) {
    EXPECT_NEAR(gradients.relations[i], relations[i], tolerance) << i;
  }
}

TEST_P(ComplexBatchTest, SharesAddUp) {
  const KnowledgeTables tables = MakeTables();
  const ComplexBatch batch = MakeBatch();
  const auto all = Differentiate(tables, batch, 0, 5, GetParam());
  const auto first = Differentiate(tables, batch, 0, 1, GetParam());
  const auto rest = Differentiate(tables, batch, 1, 5, GetParam());
  EXPECT_NEAR(all.loss, first.loss + rest.loss, 1e-4);
  for (size_t i = 0; i < all.entities.size(); ++i) {
    EXPECT_NEAR(all.entities[i], first.entities[i] + rest.entities[i], 5e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ComplexBatchTest,
    testing::Values(
        ComplexLoss{}, ComplexLoss{.n3 = 0.3},
        ComplexLoss{.relation_prediction = 0.7},
        ComplexLoss{.n3 = 0.1, .relation_prediction = 0.5},
        ComplexLoss{.n3 = 0.1, .relation_prediction = 0.5, .bfloat16 = true}));

}  // namespace
}  // namespace slice
