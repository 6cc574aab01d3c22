#include "trainer/methods/knowledge/knowledge_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/random.h"
#include "common/row_products.h"
#include "gtest/gtest.h"
#include "trainer/methods/adagrad_step.h"
#include "trainer/methods/knowledge/knowledge_loss.h"

namespace slice {
namespace {

// kDim is no multiple of the width of a vector register.
constexpr size_t kDim = 38, kNodes = 23, kRelations = 3;

KnowledgeTables RandomTables(KnowledgeForm form) {
  auto tables =
      KnowledgeTables::Random(form, kDim, kNodes, kRelations, /*seed=*/7);
  Random random(8);
  for (float& value : tables.entities) {
    value = static_cast<float>(random.Uniform() - 0.5);
  }
  return tables;
}

at::Tensor Row(const std::vector<float>& table, size_t width, size_t row) {
  return at::from_blob(const_cast<float*>(table.data() + row * width),
                       {1, static_cast<int64_t>(width)});
}

// The score by the formulas that training uses.
float ScoreInTraining(const KnowledgeTables& tables,
                      const EndQuestion& question, NodeId answer) {
  const auto signed_row = KnowledgeTables::SignedRowOf(
      tables.form, question.relation, question.direction);
  const size_t width = tables.entity_width();
  const at::Tensor anchor = Row(tables.entities, width, question.anchor);
  const at::Tensor points = KnowledgeQueries(
      tables.form, anchor,
      Row(tables.relations, tables.relation_width(), signed_row.row),
      at::full({1, 1}, signed_row.sign));
  return AnswerScores(tables.form, points, anchor,
                      Row(tables.entities, width, answer))
      .item<float>();
}

std::vector<NodeId> AllNodes() {
  std::vector<NodeId> nodes(kNodes);
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

class KnowledgeModels : public testing::TestWithParam<KnowledgeForm> {};

TEST_P(KnowledgeModels, ScoreAsTheyWereTrained) {
  const KnowledgeTables tables = RandomTables(GetParam());
  const KnowledgeModel model(tables, MethodSummary());
  std::vector<float> scores(kNodes);
  for (RelationId relation = 0; relation < kRelations; ++relation) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const EndQuestion question{5, relation, direction};
      model.ScoreCandidates(question, AllNodes(), scores);
      for (NodeId node = 0; node < kNodes; ++node) {
        EXPECT_NEAR(scores[node], ScoreInTraining(tables, question, node),
                    2e-5);
      }
    }
  }
}

TEST_P(KnowledgeModels, ALinkScoresAsTheMeanOfItsQuestions) {
  const KnowledgeTables tables = RandomTables(GetParam());
  const KnowledgeModel model(tables, MethodSummary());
  const std::vector<Link> links = {{1, 0, 2}, {2, 0, 1}, {9, 2, 9}};
  std::vector<float> scores(links.size());
  model.Score(links, links, scores);
  for (size_t i = 0; i < links.size(); ++i) {
    const auto& [source, relation, target] = links[i];
    const float out =
        ScoreInTraining(tables, {source, relation, Direction::kOut}, target);
    const float in =
        ScoreInTraining(tables, {target, relation, Direction::kIn}, source);
    EXPECT_NEAR(scores[i], (out + in) / 2, 2e-5);
    // A translation backwards gives the same distance.
    if (GetParam() == KnowledgeForm::kTranslation) {
      EXPECT_NEAR(out, in, 2e-5);
    }
  }
}

TEST_P(KnowledgeModels, IdsOfNodesAndRelationsDoNotMatter) {
  const KnowledgeTables tables = RandomTables(GetParam());
  const std::vector<RelationId> renamed = {2, 0, 1};
  const auto moved = [](NodeId node) {
    return static_cast<NodeId>((node * 5 + 3) % kNodes);
  };
  KnowledgeTables other = tables;
  for (NodeId node = 0; node < kNodes; ++node) {
    const size_t width = tables.entity_width();
    std::copy_n(tables.entities.begin() + node * width, width,
                other.entities.begin() + moved(node) * width);
  }
  for (RelationId relation = 0; relation < kRelations; ++relation) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const size_t width = tables.relation_width();
      const auto row = [&](RelationId of) {
        return KnowledgeTables::SignedRowOf(tables.form, of, direction).row *
               width;
      };
      std::copy_n(tables.relations.begin() + row(relation), width,
                  other.relations.begin() + row(renamed[relation]));
    }
  }
  std::vector<Link> links, others;
  for (NodeId node = 0; node < kNodes; ++node) {
    const auto relation = static_cast<RelationId>(node % kRelations);
    const NodeId target = (node + 4) % kNodes;
    links.push_back({node, relation, target});
    others.push_back({moved(node), renamed[relation], moved(target)});
  }
  std::vector<float> scores(links.size()), again(links.size());
  KnowledgeModel(tables, MethodSummary()).Score(links, links, scores);
  KnowledgeModel(other, MethodSummary()).Score(others, others, again);
  EXPECT_EQ(scores, again);
}

TEST_P(KnowledgeModels, EmbeddingsAreTheNodesVectors) {
  const KnowledgeTables tables = RandomTables(GetParam());
  const KnowledgeModel model(tables, MethodSummary());
  EXPECT_EQ(model.embeddings().dim, kDim);
  EXPECT_EQ(model.embeddings().values.size(), kNodes * kDim);
  for (NodeId node = 0; node < kNodes; ++node) {
    EXPECT_TRUE(
        std::ranges::equal(model.embeddings().Row(node), tables.Entity(node)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, KnowledgeModels,
                         testing::Values(KnowledgeForm::kTranslation,
                                         KnowledgeForm::kRotation,
                                         KnowledgeForm::kReflection,
                                         KnowledgeForm::kAttention));

TEST(RowKernelsTest, MultipliesRowsOfAnyWidth) {
  Random random(3);
  for (const size_t width : {1, 15, 16, 17, 31, 64}) {
    std::vector<float> rows(9 * width), row(width);
    for (float& value : rows) value = static_cast<float>(random.Uniform());
    for (float& value : row) value = static_cast<float>(random.Uniform());
    const std::vector<NodeId> ids = {8, 0, 3, 3, 1, 7};
    std::vector<float> products(ids.size());
    MultiplyRows({row.data(), rows.data(), width, ids.data(), ids.size(),
                  products.data()});
    for (size_t i = 0; i < ids.size(); ++i) {
      const double expected = std::inner_product(
          row.begin(), row.end(), rows.begin() + ids[i] * width, 0.0);
      EXPECT_NEAR(products[i], expected, 1e-5 * static_cast<double>(width));
    }
  }
}

TEST(RowKernelsTest, AdagradDividesByTheRootOfAllSquares) {
  std::vector<float> values = {1, 1}, squares = {0, 16};
  const std::vector<float> gradient = {-2, 3};
  TakeAdagradStep({0.5f, gradient.data(), 2, values.data(), squares.data()});
  EXPECT_FLOAT_EQ(values[0], 1.5f);
  EXPECT_FLOAT_EQ(values[1], 1 - 0.5f * 3 / 5);
  EXPECT_EQ(squares, (std::vector<float>{4, 25}));
}

}  // namespace
}  // namespace slice
