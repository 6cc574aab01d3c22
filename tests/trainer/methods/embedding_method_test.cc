#include "trainer/methods/embedding_method.h"

#include <memory>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

constexpr size_t kNodes = 23, kDim = 19;

std::vector<float> RandomTable(uint64_t seed) {
  Random random(seed);
  std::vector<float> table(kNodes * kDim);
  for (float& value : table) value = static_cast<float>(random.Uniform() - 0.5);
  return table;
}

double Dot(const std::vector<float>& a, NodeId i, const std::vector<float>& b,
           NodeId j) {
  double sum = 0;
  for (size_t k = 0; k < kDim; ++k) {
    sum += double{a[i * kDim + k]} * b[j * kDim + k];
  }
  return sum;
}

// Compares Score() and ScoreCandidates() with a formula in double precision.
template <typename Formula>
void ExpectScores(const TrainedMethod& method, const Formula& formula) {
  std::vector<NodeId> nodes(kNodes);
  for (NodeId node = 0; node < kNodes; ++node) nodes[node] = node;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const EndQuestion question{7, 0, direction};
    std::vector<float> all(kNodes), one(1);
    method.ScoreCandidates(question, nodes, all);
    for (const NodeId node : nodes) {
      const std::vector<Link> link = {question.With(node)};
      method.Score(link, link, one);
      const double expected = formula(link[0].source, link[0].target);
      EXPECT_NEAR(all[node], expected, 1e-5);
      EXPECT_NEAR(one[0], expected, 1e-5);
    }
  }
}

TEST(DotProductMethodTest, ScoresByTheDotProduct) {
  const std::vector<float> table = RandomTable(1);
  ExpectScores(DotProductMethod(table, kDim, {}),
               [&](NodeId u, NodeId v) { return Dot(table, u, table, v); });
}

TEST(InputOutputMethodTest, ScoresInputsByOutputsBothWays) {
  const std::vector<float> in = RandomTable(2), out = RandomTable(3);
  ExpectScores(InputOutputMethod(in, out, kDim, {}), [&](NodeId u, NodeId v) {
    return Dot(in, u, out, v) + Dot(in, v, out, u);
  });
}

}  // namespace
}  // namespace slice
