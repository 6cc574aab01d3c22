#include "context/knowledge_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <utility>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

// kDim is no multiple of the width of a vector register.
constexpr size_t kDim = 22, kNodes = 30, kRelations = 3;
constexpr NodeId kWithoutVector = 7;

NamedArray RandomArray(int64_t rows, int64_t columns, uint64_t seed) {
  NamedArray array{{rows, columns}, {}};
  Random random(seed);
  for (int64_t i = 0; i < rows * columns; ++i) {
    array.values.push_back(static_cast<float>(random.Uniform() - 0.5));
  }
  return array;
}

GraphStatistics MakeStatistics() {
  GraphStatistics statistics;
  NamedArray nodes = RandomArray(kNodes, kDim, 1);
  std::fill_n(nodes.values.begin() + kWithoutVector * kDim, kDim, 0.0f);
  statistics.Set("knowledge.nodes", std::move(nodes));
  statistics.Set("knowledge.relations", RandomArray(kRelations, kDim, 2));
  statistics.Set("knowledge.terms", RandomArray(kRelations, 3, 3));
  statistics.Set("knowledge.kind",
                 {{kRelations, 2}, {-0.3f, 0.2f, 0.4f, 0, 0.1f, 0.7f}});
  return statistics;
}

// The formula of the paper, with complex numbers.
double Reference(const GraphStatistics& statistics, const Link& link) {
  const auto number = [&](const char* name, size_t row, size_t k) {
    const std::vector<float>& values = (*statistics.Get(name))->values;
    return std::complex<double>(values[row * kDim + 2 * k],
                                values[row * kDim + 2 * k + 1]);
  };
  std::complex<double> sum;
  for (size_t k = 0; k < kDim / 2; ++k) {
    sum += number("knowledge.nodes", link.source, k) *
           number("knowledge.relations", link.relation, k) *
           std::conj(number("knowledge.nodes", link.target, k));
  }
  return sum.real();
}

class KnowledgeVectorsTest : public ::testing::Test {
 protected:
  static KnowledgeVectors Read(const GraphStatistics& statistics) {
    auto vectors =
        KnowledgeVectors::FromStatistics(statistics, kNodes, kRelations);
    EXPECT_TRUE(vectors.ok()) << vectors.status();
    EXPECT_TRUE(vectors->has_value());
    return **std::move(vectors);
  }

  float Centered(const Link& link) const {
    return vectors_.CenteredScore(link, vectors_.center(link.relation));
  }

  const GraphStatistics statistics_ = MakeStatistics();
  const KnowledgeVectors vectors_ = Read(statistics_);
};

TEST_F(KnowledgeVectorsTest, TheScoreIsThatOfComplexNumbers) {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Link link = {random.Below(kNodes),
                       static_cast<RelationId>(random.Below(kRelations)),
                       random.Below(kNodes)};
    EXPECT_NEAR(vectors_.Score(link), Reference(statistics_, link), 1e-5);
  }
}

TEST_F(KnowledgeVectorsTest, LogitsAreWeightedAndCentered) {
  const Link link = {3, 1, 8};
  const float* const terms =
      (*statistics_.Get("knowledge.terms"))->values.data() + 3;
  const auto logits = vectors_.Logits(link);
  for (size_t q = 0; q < logits.size(); ++q) {
    const double center = q == 0 ? terms[0] : 0.4;
    EXPECT_NEAR(logits[q],
                terms[1 + q] * (Reference(statistics_, link) - center), 1e-5);
  }
}

// Both ways of computing agree, for both directions, with nodes without a
// vector and nodes that came later among the candidates. Older bundles
// order by the weights of "among kind".
TEST_F(KnowledgeVectorsTest, ManyCandidatesGetTheLogitsOfTheirLinks) {
  GraphStatistics without_kind = MakeStatistics();
  without_kind.Remove("knowledge.kind");
  const KnowledgeVectors older = Read(without_kind);
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < kNodes + 3; ++node) nodes.push_back(node);
  std::vector<float> point, logits(nodes.size());
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    for (const NodeId anchor :
         {NodeId{5}, kWithoutVector, NodeId{kNodes + 1}}) {
      const EndQuestion question = {anchor, 2, direction};
      vectors_.Prepare(question, point);
      vectors_.CenteredScoreOfEach(question, point, nodes, logits);
      for (size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_NEAR(logits[i], Centered(question.With(nodes[i])), 1e-5);
      }
      vectors_.RankingTermOfEach(question, point, nodes, logits);
      for (size_t i = 0; i < nodes.size(); ++i) {
        const Link link = question.With(nodes[i]);
        EXPECT_NEAR(logits[i], 0.7 * Centered(link), 1e-5);
      }
      older.RankingTermOfEach(question, point, nodes, logits);
      for (size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_NEAR(logits[i], older.Logits(question.With(nodes[i]))[1], 1e-5);
      }
    }
  }
}

TEST_F(KnowledgeVectorsTest, ANodeThatCameLaterOrHasNoVectorAddsNothing) {
  ASSERT_NE(vectors_.center(0), 0);
  for (const NodeId node : {NodeId{kNodes}, kWithoutVector}) {
    EXPECT_FALSE(vectors_.Has(node));
    for (const Link& link : {Link{node, 0, 1}, Link{1, 0, node}}) {
      EXPECT_FALSE(vectors_.HasEnds(link));
      EXPECT_EQ(vectors_.Score(link), 0);
      EXPECT_EQ(Centered(link), 0);
      EXPECT_EQ(vectors_.Logits(link), (std::array<float, 2>{0, 0}));
    }
  }
}

TEST_F(KnowledgeVectorsTest, ARowThatStartsWithZeroIsAVector) {
  GraphStatistics statistics = MakeStatistics();
  NamedArray nodes = **statistics.Get("knowledge.nodes");
  nodes.values[kWithoutVector * kDim + kDim - 1] = 0.5f;
  statistics.Set("knowledge.nodes", std::move(nodes));
  EXPECT_TRUE(Read(statistics).Has(kWithoutVector));
}

TEST(KnowledgeVectorsReadingTest, WrongArraysAreRefused) {
  EXPECT_EQ(
      KnowledgeVectors::FromStatistics(GraphStatistics(), 3, 2)->has_value(),
      false);
  GraphStatistics statistics = MakeStatistics();
  statistics.Set("knowledge.relations", RandomArray(kRelations + 1, kDim, 2));
  EXPECT_EQ(KnowledgeVectors::FromStatistics(statistics, kNodes, kRelations)
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
  // A row that is no pairs of numbers.
  statistics = MakeStatistics();
  statistics.Set("knowledge.nodes", RandomArray(kNodes, kDim + 1, 2));
  EXPECT_EQ(KnowledgeVectors::FromStatistics(statistics, kNodes, kRelations)
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
  GraphStatistics part;
  part.Set("knowledge.nodes", RandomArray(kNodes, kDim, 1));
  EXPECT_EQ(KnowledgeVectors::FromStatistics(part, kNodes, kRelations)
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
