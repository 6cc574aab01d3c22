#include "trainer/embedding/node2vec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr NodeId kCommunity = 30;  // nodes of each of four communities

// Four communities of nodes of type 0, with many links inside and few between;
// then two nodes without links, one of type 0 and one of type 1.
GraphData PlantedPartition(uint64_t seed) {
  Random random(seed);
  GraphData data;
  data.catalogue.node_types = {"member", "stranger"};
  data.catalogue.relations = {"knows"};
  for (NodeId i = 0; i < 4 * kCommunity + 2; ++i) {
    const NodeTypeId type = i > 4 * kCommunity ? 1 : 0;
    data.catalogue.nodes.push_back({"n" + std::to_string(i), "", type});
  }
  for (NodeId a = 0; a < 4 * kCommunity; ++a) {
    for (NodeId b = 0; b < a; ++b) {
      const bool same = a / kCommunity == b / kCommunity;
      if (random.Uniform() < (same ? 0.3 : 0.01)) {
        data.links.push_back({a, 0, b});
      }
    }
  }
  return data;
}

Node2vecOptions SmallOptions() {
  return {.dim = 20,
          .walks_per_node = 20,
          .walk_length = 20,
          .threads = 1,
          .seed = 3};
}

double Cosine(const std::vector<float>& embeddings, int dim, NodeId a,
              NodeId b) {
  double dot = 0, aa = 0, bb = 0;
  for (int k = 0; k < dim; ++k) {
    const double x = embeddings[a * dim + k], y = embeddings[b * dim + k];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / std::sqrt(aa * bb);
}

// The mean cosine within communities minus the mean cosine between them.
double Separation(const std::vector<float>& embeddings, int dim) {
  double same = 0, same_count = 0, other = 0, other_count = 0;
  for (NodeId a = 0; a < 4 * kCommunity; ++a) {
    for (NodeId b = 0; b < a; ++b) {
      const double cosine = Cosine(embeddings, dim, a, b);
      if (a / kCommunity == b / kCommunity) {
        same += cosine;
        ++same_count;
      } else {
        other += cosine;
        ++other_count;
      }
    }
  }
  return same / same_count - other / other_count;
}

TEST(Node2vecTest, CommunitiesAreCloserThanStrangers) {
  const auto snapshot = BuildSnapshotOrDie(PlantedPartition(1));
  for (const double q : {1.0, 0.5}) {
    for (const int threads : {1, 3}) {
      Node2vecOptions options = SmallOptions();
      options.q = q;
      options.threads = threads;
      const auto embeddings = TrainNode2vec(GraphView(*snapshot), options);
      ASSERT_TRUE(embeddings.ok()) << embeddings.status();
      EXPECT_GT(Separation(*embeddings, options.dim), 0.4);
    }
  }
}

// The vectors grow beyond all bounds, and once read outside of a table.
TEST(Node2vecTest, ALearningRateThatIsTooHighIsNamed) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 60, .links = 600, .isolated = 0}, 1));
  Node2vecOptions options = SmallOptions();
  options.learning_rate = 1;
  options.walks_per_node = 40;
  const auto vectors = TrainNode2vec(GraphView(*snapshot), options);
  ASSERT_EQ(vectors.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(vectors.status().message()),
              HasSubstr("a lower learning_rate than 1 helps"));
}

TEST(Node2vecTest, OneThreadIsReproducible) {
  const auto snapshot = BuildSnapshotOrDie(PlantedPartition(1));
  Node2vecOptions options = SmallOptions();
  options.walks_per_node = 3;
  const auto first = TrainNode2vec(GraphView(*snapshot), options);
  const auto second = TrainNode2vec(GraphView(*snapshot), options);
  options.seed = 4;
  const auto other = TrainNode2vec(GraphView(*snapshot), options);
  ASSERT_TRUE(first.ok() && second.ok() && other.ok());
  EXPECT_EQ(*first, *second);
  EXPECT_NE(*first, *other);
}

TEST(Node2vecTest, HiddenLinksTeachNothing) {
  // The same as training on the graph rebuilt without them.
  const GraphData data = PlantedPartition(2);
  const LinkFolds folds(4, 5);
  const auto hidden = [&](const Link& link) { return folds.FoldOf(link) == 2; };
  const auto whole = BuildSnapshotOrDie(data);
  const auto rebuilt = BuildSnapshotOrDie(RebuildWithout(data, hidden));
  GraphView view(*whole);
  view.HideFold(&folds, 2);
  Node2vecOptions options = SmallOptions();
  options.walks_per_node = 2;
  const auto from_view = TrainNode2vec(view, options);
  const auto from_rebuilt = TrainNode2vec(GraphView(*rebuilt), options);
  ASSERT_TRUE(from_view.ok() && from_rebuilt.ok());
  EXPECT_EQ(*from_view, *from_rebuilt);
}

TEST(Node2vecTest, IsolatedNodesHaveTheMeanOfTheirType) {
  const auto snapshot = BuildSnapshotOrDie(PlantedPartition(1));
  Node2vecOptions options = SmallOptions();
  options.walks_per_node = 2;
  Node2vecSummary summary;
  const auto embeddings =
      TrainNode2vec(GraphView(*snapshot), options, &summary);
  ASSERT_TRUE(embeddings.ok());
  EXPECT_EQ(summary.isolated_nodes, 2u);
  for (int k = 0; k < options.dim; ++k) {
    double mean = 0;
    for (NodeId node = 0; node < 4 * kCommunity; ++node) {
      mean += (*embeddings)[node * options.dim + k] / (4.0 * kCommunity);
    }
    // The node of type 0 gets the mean of its type; no node of type 1 has a
    // link, so that one gets the mean of all.
    for (const NodeId node : {4 * kCommunity, 4 * kCommunity + 1}) {
      EXPECT_NEAR((*embeddings)[node * options.dim + k], mean, 1e-6);
    }
  }
}

TEST(Node2vecTest, GraphWithoutLinksGivesZeros) {
  GraphData data = PlantedPartition(1);
  data.links.clear();
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto embeddings = TrainNode2vec(GraphView(*snapshot), SmallOptions());
  ASSERT_TRUE(embeddings.ok());
  EXPECT_EQ(embeddings->size(), snapshot->node_count() * 20);
  EXPECT_THAT(*embeddings, Each(0.0f));
}

TEST(Node2vecTest, SummaryCountsWalksAndPairs) {
  const auto snapshot = BuildSnapshotOrDie(PlantedPartition(1));
  Node2vecOptions options = SmallOptions();
  options.epochs = 2;
  Node2vecSummary summary;
  ASSERT_TRUE(TrainNode2vec(GraphView(*snapshot), options, &summary).ok());
  EXPECT_EQ(summary.walks, 4u * kCommunity * 20 * 2);
  ASSERT_EQ(summary.losses.size(), 40u);
  EXPECT_LT(summary.losses.back(), summary.losses.front());
  // A centre meets from one node to twice the window.
  EXPECT_GT(summary.pairs, summary.walks * 20);
  EXPECT_LT(summary.pairs, summary.walks * 20 * 10);
}

TEST(Node2vecTest, ABudgetEndsItAfterTheRoundThatSpendsIt) {
  const auto snapshot = BuildSnapshotOrDie(PlantedPartition(1));
  Node2vecOptions options = SmallOptions();
  options.budget = absl::Nanoseconds(1);
  Node2vecSummary summary;
  ASSERT_TRUE(TrainNode2vec(GraphView(*snapshot), options, &summary).ok());
  EXPECT_TRUE(summary.cut_short);
  EXPECT_EQ(summary.losses.size(), 1u);
  options.budget = absl::InfiniteDuration();
  ASSERT_TRUE(TrainNode2vec(GraphView(*snapshot), options, &summary).ok());
  EXPECT_FALSE(summary.cut_short);
  EXPECT_EQ(summary.losses.size(), 20u);
}

// A star of 400 leaves: every second node of a walk is the centre.
TEST(Node2vecTest, SubsamplingDropsTheNodesThatWalksMeetMost) {
  GraphData data;
  data.catalogue.relations = {"r"};
  data.catalogue.node_types = {"node"};
  for (int i = 0; i <= 400; ++i) {
    data.catalogue.nodes.push_back(
        {.key = "n" + std::to_string(i), .name = "", .type = 0});
  }
  for (NodeId leaf = 1; leaf <= 400; ++leaf) data.links.push_back({0, 0, leaf});
  const auto snapshot = BuildSnapshotOrDie(data);
  Node2vecOptions options;
  options.dim = 4;
  options.walk_length = 20;
  options.window = 1;  // every pair is of a centre and a leaf
  options.threads = 1;
  Node2vecSummary all, half, few;
  ASSERT_TRUE(TrainNode2vec(GraphView(*snapshot), options, &all).ok());
  options.subsample = 1;  // no node has more than all visits
  ASSERT_TRUE(TrainNode2vec(GraphView(*snapshot), options, &half).ok());
  EXPECT_EQ(half.pairs, all.pairs);
  // The centre is half of all visits: it stays with probability
  // sqrt(0.02) + 0.02 = 0.161, a leaf (1/800 of all) always.
  options.subsample = 0.01;
  ASSERT_TRUE(TrainNode2vec(GraphView(*snapshot), options, &few).ok());
  // Walks of 10 leaves and about 1.61 centres: 2 * (11.61 - 1) pairs.
  const double per_walk = 2.0 * (10 + 0.1614 * 10 - 1);
  EXPECT_NEAR(static_cast<double>(few.pairs) / few.walks, per_walk, 0.2);
}

TEST(Node2vecTest, OptionsOutOfBoundsAreNamed) {
  const auto snapshot = BuildSnapshotOrDie(PlantedPartition(1));
  Node2vecOptions options = SmallOptions();
  options.window = 0;
  const absl::Status status =
      TrainNode2vec(GraphView(*snapshot), options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("window is 0"));
  options = SmallOptions();
  options.p = 0;
  EXPECT_EQ(options.Validate().code(), absl::StatusCode::kInvalidArgument);
}

TEST(PaperNode2vec, HasThePapersNumbers) {
  const Node2vecOptions options = PaperNode2vec();
  EXPECT_EQ(options.walks_per_node, 10);
  EXPECT_EQ(options.walk_length, 80);
  EXPECT_EQ(options.dim, 128);
  EXPECT_TRUE(options.Validate().ok());
}

}  // namespace
}  // namespace slice
