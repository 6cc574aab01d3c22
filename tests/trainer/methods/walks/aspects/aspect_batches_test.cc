#include "trainer/methods/walks/aspects/aspect_batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

constexpr int kLength = 6;
constexpr NodeId kShort = 50;  // its walk has one node
constexpr NodeId kNodes = 60;

// From start n the walk goes n, n + 1, n + 2, ...
class CountingWalks final : public WalkSource {
 public:
  int length() const override { return kLength; }
  void Walk(std::span<const NodeId> starts, uint64_t,
            std::span<NodeId> walks) const override {
    for (size_t i = 0; i < starts.size(); ++i) {
      const auto row = walks.subspan(i * kLength, kLength);
      std::iota(row.begin(), row.end(), starts[i]);
      if (starts[i] == kShort) {
        std::fill(row.begin() + 1, row.end(), kNoNode);
      }
    }
  }
};

class AspectBatchesTest : public ::testing::Test {
 protected:
  static std::vector<NodeId> AllNodes() {
    std::vector<NodeId> nodes(kNodes);
    std::iota(nodes.begin(), nodes.end(), 0);
    return nodes;
  }

  AspectBatch Draw(std::vector<NodeId> starts, uint64_t round = 1) const {
    return batches_.Draw(starts, round);
  }
  static std::vector<NodeId> ContextOf(const AspectBatch& batch,
                                       size_t window) {
    const auto context =
        batch.NodesOf(window).first(batch.context_counts[window]);
    return {context.begin(), context.end()};
  }

  const CountingWalks walks_;
  const AspectBatchOptions options_ = {
      .window = 2, .negatives = 3, .aspects = 4, .seed = 5};
  const AspectBatches batches_{walks_, AllNodes(), options_};
};

TEST_F(AspectBatchesTest, EachNodeOfAWalkIsTheCentreOfAWindow) {
  const AspectBatch batch = Draw({10});
  EXPECT_THAT(batch.centres, ElementsAre(10, 11, 12, 13, 14, 15));
  EXPECT_THAT(ContextOf(batch, 0), ElementsAre(11, 12));
  EXPECT_THAT(ContextOf(batch, 1), ElementsAre(10, 12, 13));
  EXPECT_THAT(ContextOf(batch, 2), ElementsAre(10, 11, 13, 14));
  EXPECT_THAT(ContextOf(batch, 5), ElementsAre(13, 14));
}

TEST_F(AspectBatchesTest, NoiseIsNeverInItsWindow) {
  const AspectBatch batch = Draw({10, 20, 0, 33, 41});
  ASSERT_EQ(batch.begins.size(), batch.windows() + 1);
  EXPECT_EQ(batch.begins.back(), batch.nodes.size());
  size_t noise_nodes = 0, drawn = 0;
  for (size_t window = 0; window < batch.windows(); ++window) {
    const size_t contexts = batch.context_counts[window];
    const auto noise = batch.NodesOf(window).subspan(contexts);
    EXPECT_LE(noise.size(), contexts * options_.negatives);
    noise_nodes += noise.size();
    drawn += contexts * options_.negatives;
    for (const NodeId node : noise) {
      EXPECT_LT(node, kNodes);
      EXPECT_NE(node, batch.centres[window]);
      EXPECT_THAT(ContextOf(batch, window),
                  ::testing::Not(::testing::Contains(node)));
    }
  }
  // Few of 60 nodes are in a window.
  EXPECT_GT(noise_nodes, drawn * 8 / 10);
}

TEST_F(AspectBatchesTest, EachAspectOfAWindowHasItsGumbelNumber) {
  std::vector<NodeId> starts(50);
  std::iota(starts.begin(), starts.end(), 0);
  const AspectBatch batch = Draw(starts);
  ASSERT_EQ(batch.gumbel.size(), batch.windows() * options_.aspects);
  double sum = 0;
  for (const float number : batch.gumbel) {
    ASSERT_TRUE(std::isfinite(number));
    sum += number;
  }
  // The mean of Gumbel(0, 1) is Euler's constant, 0.577; that of 1,200 numbers
  // has the deviation 0.037.
  EXPECT_NEAR(sum / static_cast<double>(batch.gumbel.size()), 0.577, 0.15);
}

TEST_F(AspectBatchesTest, WindowsDependOnTheirStartAndTheRoundAlone) {
  const AspectBatch alone = Draw({20}), second = Draw({10, 20});
  ASSERT_EQ(second.windows(), 2 * alone.windows());
  const auto tail = second.NodesOf(alone.windows());
  EXPECT_TRUE(std::equal(tail.begin(), tail.end(), alone.NodesOf(0).begin(),
                         alone.NodesOf(0).end()));
  EXPECT_TRUE(std::equal(
      alone.gumbel.begin(), alone.gumbel.end(),
      second.gumbel.end() - static_cast<int64_t>(alone.gumbel.size())));
  EXPECT_EQ(Draw({20}).nodes, alone.nodes);
  EXPECT_NE(Draw({20}, 2).nodes, alone.nodes);
}

TEST_F(AspectBatchesTest, AWalkOfOneNodeHasNoWindow) {
  EXPECT_EQ(Draw({kShort}).windows(), 0u);
  EXPECT_EQ(Draw({kShort, 3}).windows(), static_cast<size_t>(kLength));
}

}  // namespace
}  // namespace slice
