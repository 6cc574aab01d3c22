#include "trainer/methods/knowledge/knowledge_embedding.h"

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/learning/training_links.h"
#include "trainer/methods/knowledge/knowledge_learner.h"
#include "trainer/methods/method_ranking.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kSide = 4, kNodes = 20;

GraphData Nodes(std::vector<std::string> relations) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = std::move(relations);
  for (uint32_t node = 0; node < kNodes; ++node) {
    const std::string key = absl::StrCat("n", node);
    data.catalogue.nodes.push_back({key, key, 0});
  }
  return data;
}

//  0 - 1 - 2 - 3     right: one to the right; down: one row on
//  |   |   |   |
//  4 - 5 - 6 - 7     ... to 19
GraphData Grid() {
  GraphData data = Nodes({"right", "down"});
  for (NodeId node = 0; node < kNodes; ++node) {
    if (node % kSide + 1 < kSide) data.links.push_back({node, 0, node + 1});
    if (node + kSide < kNodes) data.links.push_back({node, 1, node + kSide});
  }
  return data;
}

// A ring, and a link from each node to its opposite node. No translation but
// zero fits a relation that is its own inverse.
GraphData Ring() {
  GraphData data = Nodes({"next", "opposite"});
  for (NodeId node = 0; node < kNodes; ++node) {
    data.links.push_back({node, 0, (node + 1) % kNodes});
    data.links.push_back({node, 1, (node + kNodes / 2) % kNodes});
  }
  return data;
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInfo& info, const GraphSnapshot& snapshot,
    std::vector<std::string> settings, int threads = 2, uint64_t seed = 3) {
  const auto parameters = ParameterValues::Parse(info.parameters, settings);
  if (!parameters.ok()) return parameters.status();
  MethodInput input;
  input.snapshot = &snapshot;
  input.seed = seed;
  input.threads = threads;
  return info.train(input, *parameters);
}

// The filtered MRR of the train links.
double TrainMrr(const TrainedMethod& method, const GraphSnapshot& snapshot) {
  std::vector<LinkQuestion> questions;
  for (const Link& link : AllLinks(snapshot)) {
    questions.push_back({link, Direction::kOut});
    questions.push_back({link, Direction::kIn});
  }
  return MeanReciprocalRank(MethodRanking(snapshot, {}), method, questions,
                            /*threads=*/1);
}

struct ToyCase {
  const char* name;
  MethodInfo info;
  std::vector<std::string> settings;
  std::function<GraphData()> graph;
};

class ToyGraphs : public testing::TestWithParam<ToyCase> {};

TEST_P(ToyGraphs, AreLearntCompletely) {
  const ToyCase& toy = GetParam();
  const auto snapshot = BuildSnapshotOrDie(toy.graph());
  std::vector<std::string> settings = {"dim=16", "batch=20", "epochs=100"};
  settings.insert(settings.end(), toy.settings.begin(), toy.settings.end());
  const auto method = Train(toy.info, *snapshot, settings);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_GT(TrainMrr(**method, *snapshot), 0.98);
  const MethodSummary& summary = (*method)->summary();
  EXPECT_EQ(summary.epochs, 100);
  EXPECT_LT(summary.loss.back().y, summary.loss.front().y / 2);
}

INSTANTIATE_TEST_SUITE_P(
    All, ToyGraphs,
    testing::Values(ToyCase{"transe", TranseMethod(), {"margin=3"}, Grid},
                    ToyCase{"rote", RoteMethod(), {}, Ring},
                    ToyCase{
                        "rote_softmax", RoteMethod(), {"loss=softmax"}, Ring},
                    ToyCase{"refe", RefeMethod(), {}, Grid},
                    ToyCase{"atte", AtteMethod(), {}, Ring}),
    [](const auto& toy) { return std::string(toy.param.name); });

// If links of the graph counted as rivals, the loss could not fall far below
// the entropy of a draw among them. With fewer rivals than answers AddKnown()
// takes its other branch.
TEST(KnowledgeEmbeddingTest, KnownAnswersAreNoRivals) {
  GraphData data = Nodes({"r"});
  for (NodeId source = 0; source < kNodes / 2; ++source) {
    for (NodeId target = kNodes / 2; target < kNodes; ++target) {
      data.links.push_back({source, 0, target});
    }
  }
  const auto snapshot = BuildSnapshotOrDie(data);
  for (const char* negatives : {"negatives=20", "negatives=4"}) {
    const auto method =
        Train(RoteMethod(), *snapshot,
              {"loss=softmax", "dim=8", "batch=50", "epochs=60", negatives});
    ASSERT_TRUE(method.ok()) << method.status();
    EXPECT_LT((*method)->summary().loss.back().y, 0.1) << negatives;
  }
}

TEST(KnowledgeEmbeddingTest, OneSeedAndThreadCountGiveOneResult) {
  const auto snapshot = BuildSnapshotOrDie(Grid());
  const std::vector<std::string> settings = {"dim=8", "epochs=5", "negatives=4",
                                             "batch=10"};
  const auto one = Train(TranseMethod(), *snapshot, settings);
  const auto two = Train(TranseMethod(), *snapshot, settings);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_THAT((*one)->embeddings().values,
              testing::ElementsAreArray((*two)->embeddings().values));
  const auto other = Train(TranseMethod(), *snapshot, settings, 2, /*seed=*/2);
  ASSERT_TRUE(other.ok());
  EXPECT_THAT(
      (*one)->embeddings().values,
      testing::Not(testing::ElementsAreArray((*other)->embeddings().values)));
}

// The shares of a batch add up to the batch.
TEST(KnowledgeEmbeddingTest, ThreadsChangeLittle) {
  const auto snapshot = BuildSnapshotOrDie(Ring());
  const std::vector<std::string> settings = {"dim=8", "epochs=2", "batch=20"};
  const auto one = Train(AtteMethod(), *snapshot, settings, 1);
  const auto three = Train(AtteMethod(), *snapshot, settings, 3);
  ASSERT_TRUE(one.ok() && three.ok());
  EXPECT_THAT((*one)->embeddings().values,
              testing::Pointwise(testing::FloatNear(1e-3f),
                                 (*three)->embeddings().values));
}

// RefE holds one angle per pair of coordinates, as RotE does; AttE holds two
// and the vector of its attention.
TEST(KnowledgeEmbeddingTest, OnlyAtteTakesTheMemoryOfAttention) {
  const auto snapshot = BuildSnapshotOrDie(Ring());
  MethodInput input;
  input.snapshot = snapshot.get();
  const auto mib = [&](const MethodInfo& info) {
    return info.memory(input, *ParameterValues::Parse(info.parameters, {}));
  };
  EXPECT_EQ(mib(RefeMethod()), mib(RoteMethod()));
  EXPECT_GT(mib(AtteMethod()), mib(RefeMethod()));
  const std::vector<std::string> settings = {"moves=attention"};
  EXPECT_FALSE(ParameterValues::Parse(RefeMethod().parameters, settings).ok());
}

TEST(KnowledgeEmbeddingTest, EarlyStoppingKeepsTheBestState) {
  const auto snapshot = BuildSnapshotOrDie(Grid());
  const std::vector<LabelledLink> valid = {{{0, 0, 1}, true},
                                           {{5, 1, 9}, true}};
  const MethodRanking ranking(*snapshot, {});
  const std::vector<LinkQuestion> questions = SampleQuestions(valid, 2);
  KnowledgeOptions options;
  options.dim = 8;
  options.margin = 3;
  options.batch = 16;
  KnowledgeLearner learner(*snapshot, ranking, questions, options);
  std::string batch_name;
  learner.Keep();
  const auto before = learner.MeasureValid();
  for (int epoch = 1; epoch <= 30; ++epoch) {
    ASSERT_TRUE(learner.RunEpoch(epoch, &batch_name).ok());
  }
  EXPECT_GT(*learner.MeasureValid(), *before);
  learner.Restore();
  EXPECT_EQ(*learner.MeasureValid(), *before);
}

TEST(KnowledgeEmbeddingTest, ANanLossNamesTheBatch) {
  const auto snapshot = BuildSnapshotOrDie(Grid());
  KnowledgeOptions options;
  options.dim = 8;
  options.batch = 10;
  options.learning_rate = 1e30;
  const MethodRanking ranking(*snapshot, {});
  KnowledgeLearner learner(*snapshot, ranking, {}, options);
  std::string batch_name;
  const auto loss = learner.RunEpoch(1, &batch_name);
  ASSERT_TRUE(loss.ok()) << loss.status();
  EXPECT_TRUE(std::isnan(*loss));
  EXPECT_EQ(batch_name, "batch 2");
}

struct BadInput {
  MethodInfo info;
  std::vector<std::string> settings;
  absl::StatusCode code;
  const char* complaint;
};

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, AreRefused) {
  const auto snapshot = BuildSnapshotOrDie(Grid());
  const auto method = Train(GetParam().info, *snapshot, GetParam().settings);
  EXPECT_EQ(method.status().code(), GetParam().code);
  EXPECT_THAT(std::string(method.status().message()),
              HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadInputs,
    testing::Values(BadInput{RoteMethod(),
                             {"dim=7"},
                             absl::StatusCode::kInvalidArgument,
                             "dim is 7; it must be even"},
                    BadInput{TranseMethod(),
                             {"margin=x"},
                             absl::StatusCode::kInvalidArgument,
                             "margin is 'x'"},
                    BadInput{TranseMethod(),
                             {"learning_rate=10", "margin=-1e30"},
                             absl::StatusCode::kInvalidArgument,
                             "margin is '-1e30'"}));

TEST(KnowledgeEmbeddingTest, AGraphWithoutLinksIsRefused) {
  const auto snapshot = BuildSnapshotOrDie(Nodes({"r"}));
  const auto method = Train(TranseMethod(), *snapshot, {});
  EXPECT_EQ(method.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(KnowledgeOptionsTest, MemoryGrowsWithNodesNotWithPairs) {
  KnowledgeOptions options;
  const uint64_t thousand = options.MemoryBytes(1'000'000, 10, 1000);
  const uint64_t more = options.MemoryBytes(2'000'000, 10, 1000);
  const uint64_t per_node = (more - thousand) / 1'000'000;
  EXPECT_EQ(per_node, 5 * sizeof(float) * (options.dim + 2));
  EXPECT_LT(more, uint64_t{10} << 30);
}

// Where more than half of all nodes would be drawn, all are.
TEST(KnowledgeOptionsTest, MemoryCountsTheNodesThatAreDrawn) {
  KnowledgeOptions options;
  options.batch = 1;
  options.negatives = 60'000;
  const uint64_t all = options.MemoryBytes(100'000, 1, 0);
  options.negatives = 100'000;
  EXPECT_EQ(options.MemoryBytes(100'000, 1, 0), all);
  EXPECT_GE(options.MemoryBytes(100'000, 1, 1'000'000), all + 28'000'000);
}

TEST(KnowledgeEmbeddingTest, ABatchOfAllNodesIsRefusedWhereItHasTooManyScores) {
  GraphData data = Nodes({"r"});
  data.catalogue.nodes.clear();
  for (int i = 0; i < 100'000; ++i) {
    data.catalogue.nodes.push_back({absl::StrCat("n", i), "", 0});
  }
  data.links = {{0, 0, 1}};
  const auto snapshot = BuildSnapshotOrDie(data);
  const absl::Status status =
      Train(TranseMethod(), *snapshot, {"negatives=60000", "batch=1000"})
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("100000000 scores"));
}

}  // namespace
}  // namespace slice
