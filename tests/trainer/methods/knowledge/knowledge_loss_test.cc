#include "trainer/methods/knowledge/knowledge_loss.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/trainer/methods/finite_differences.h"

namespace slice {
namespace {

using at::Tensor;

constexpr int64_t kDim = 6, kQuestions = 5, kRivals = 7, kRelations = 3;
constexpr KnowledgeForm kForms[] = {
    KnowledgeForm::kTranslation, KnowledgeForm::kRotation,
    KnowledgeForm::kReflection, KnowledgeForm::kAttention};

Tensor Doubles(int64_t rows, int64_t columns) {
  return at::randn({rows, columns}, at::kDouble);
}

Tensor Ids(std::vector<int64_t> ids) {
  return at::from_blob(ids.data(), {static_cast<int64_t>(ids.size())},
                       at::kLong)
      .clone();
}

// A batch of questions about a few entities, some of which are rivals too.
struct SmallBatch {
  explicit SmallBatch(KnowledgeForm form) : form(form) {
    at::manual_seed(5);
    entities = Doubles(kRivals + 4, kDim + 2);
    relations = Doubles(
        kRelations,
        static_cast<int64_t>(KnowledgeTables::RelationWidth(form, kDim)));
    anchors = Ids({0, 8, 3, 9, 8});
    answers = Ids({1, 2, 10, 0, 7});
    relation_rows = Ids({0, 2, 1, 1, 2});
    known = Ids({1, 9, 28});  // positions in the flattened [questions, rivals]
    signs = at::ones({kQuestions, 1}, at::kDouble);
    signs[1] = signs[3] = -1;
  }

  Tensor Points() const {
    return KnowledgeQueries(form, entities.index_select(0, anchors),
                            relations.index_select(0, relation_rows), signs);
  }
  Tensor Answers() const {
    return AnswerScores(form, Points(), entities.index_select(0, anchors),
                        entities.index_select(0, answers));
  }
  Tensor Rivals() const {
    return RivalScores(form, Points(), entities.index_select(0, anchors),
                       entities.narrow(0, 0, kRivals), known);
  }

  const KnowledgeForm form;
  Tensor entities, relations, anchors, answers, relation_rows, known, signs;
};

class KnowledgeForms : public testing::TestWithParam<KnowledgeForm> {};

TEST_P(KnowledgeForms, SoftmaxLossHasItsGradient) {
  const SmallBatch batch(GetParam());
  const auto loss = [&] {
    return SoftmaxLoss(batch.Answers(), batch.Rivals());
  };
  ExpectGradient(loss, batch.entities, "entities");
  ExpectGradient(loss, batch.relations, "relations");
}

// With equal weights: eq. 5 treats the weights as constants, which finite
// differences do not.
TEST_P(KnowledgeForms, SelfAdversarialLossHasItsGradient) {
  const SmallBatch batch(GetParam());
  const auto loss = [&] {
    return SelfAdversarialLoss(batch.Answers(), batch.Rivals(), /*margin=*/3,
                               /*temperature=*/0);
  };
  ExpectGradient(loss, batch.entities, "entities");
  ExpectGradient(loss, batch.relations, "relations");
}

TEST_P(KnowledgeForms, RivalsScoreAsAnswersDo) {
  const SmallBatch batch(GetParam());
  const Tensor points = batch.Points();
  const Tensor anchors = batch.entities.index_select(0, batch.anchors);
  const Tensor rivals = batch.Rivals();
  for (int64_t j = 0; j < kRivals; ++j) {
    const Tensor answers =
        batch.entities.narrow(0, j, 1).expand({kQuestions, kDim + 2});
    const Tensor scores = AnswerScores(batch.form, points, anchors, answers);
    for (int64_t i = 0; i < kQuestions; ++i) {
      const double score = rivals[i][j].item<double>();
      const int64_t place = i * kRivals + j;
      if (place == 1 || place == 9 || place == 28) {
        EXPECT_LT(score, -1e6);
      } else {
        EXPECT_NEAR(score, scores[i].item<double>(), 1e-9);
      }
    }
  }
}

TEST_P(KnowledgeForms, LossesDoNotDependOnTheOrderOfRivals) {
  const SmallBatch batch(GetParam());
  const Tensor answers = batch.Answers(), rivals = batch.Rivals();
  const Tensor shuffled = rivals.index_select(1, Ids({3, 0, 6, 5, 1, 2, 4}));
  EXPECT_NEAR(SoftmaxLoss(answers, rivals).item<double>(),
              SoftmaxLoss(answers, shuffled).item<double>(), 1e-12);
  EXPECT_NEAR(SelfAdversarialLoss(answers, rivals, 3, 1).item<double>(),
              SelfAdversarialLoss(answers, shuffled, 3, 1).item<double>(),
              1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, KnowledgeForms, testing::ValuesIn(kForms));

TEST(KnowledgeLossTest, RotationsKeepLengthsAndReflectingTwiceIsTheIdentity) {
  for (const KnowledgeForm form :
       {KnowledgeForm::kRotation, KnowledgeForm::kReflection}) {
    SmallBatch batch(form);
    batch.relations.narrow(1, 0, kDim).zero_();  // no translation
    const Tensor from =
        batch.entities.index_select(0, batch.anchors).narrow(1, 0, kDim);
    const Tensor points = batch.Points();
    EXPECT_TRUE(at::allclose(points.norm(2, 1), from.norm(2, 1)));
    if (form == KnowledgeForm::kRotation) continue;
    const Tensor again =
        at::cat({points, at::zeros({kQuestions, 2}, at::kDouble)}, /*dim=*/1);
    const Tensor back = KnowledgeQueries(
        form, again, batch.relations.index_select(0, batch.relation_rows),
        batch.signs);
    EXPECT_TRUE(at::allclose(back, from));
  }
}

// A rival that is a known answer has the score -1e9.
TEST(KnowledgeLossTest, KnownAnswersDoNotCountAtAnyTemperature) {
  const Tensor answers = at::full({1}, -2, at::kDouble);
  const Tensor rivals = at::full({1, 2}, -4, at::kDouble);
  const Tensor with_known =
      at::cat({rivals, at::full({1, 2}, -1e9, at::kDouble)}, 1);
  for (const double temperature : {0.0, 1e-12, 1e-8, 1.0}) {
    EXPECT_NEAR(
        SelfAdversarialLoss(answers, with_known, 3, temperature).item<double>(),
        SelfAdversarialLoss(answers, rivals, 3, temperature).item<double>(),
        1e-9)
        << temperature;
  }
}

TEST(KnowledgeLossTest, SelfAdversarialLossIsThatOfThePaper) {
  const std::vector<double> answers = {-2, -5}, rivals = {-4, -6, -1, -9};
  const double margin = 3, temperature = 0.5;
  const auto log_sigmoid = [](double x) { return -std::log1p(std::exp(-x)); };
  double expected = 0;
  for (int i = 0; i < 2; ++i) {
    const double* const own = rivals.data() + 2 * i;
    const double first = std::exp(temperature * own[0]);
    const double second = std::exp(temperature * own[1]);
    expected -= log_sigmoid(margin + answers[i]);
    for (int j = 0; j < 2; ++j) {
      const double weight = (j == 0 ? first : second) / (first + second);
      expected -= weight * log_sigmoid(-margin - own[j]);
    }
  }
  const auto doubles = [](const std::vector<double>& values,
                          at::IntArrayRef shape) {
    return at::from_blob(const_cast<double*>(values.data()), shape,
                         at::kDouble);
  };
  EXPECT_NEAR(SelfAdversarialLoss(doubles(answers, {2}),
                                  doubles(rivals, {2, 2}), margin, temperature)
                  .item<double>(),
              expected / 2, 1e-12);
}

TEST(KnowledgeLossTest, WeightsOfRivalsAreConstants) {
  Tensor rivals = at::randn({2, 3}, at::kDouble).requires_grad_(true);
  const Tensor answers = at::zeros({2}, at::kDouble);
  SelfAdversarialLoss(answers, rivals, /*margin=*/1, /*temperature=*/2)
      .backward();
  const Tensor expected = at::softmax(2 * rivals.detach(), 1) *
                          at::sigmoid(rivals.detach() + 1) / 2;
  EXPECT_TRUE(at::allclose(rivals.grad(), expected));
}

}  // namespace
}  // namespace slice
