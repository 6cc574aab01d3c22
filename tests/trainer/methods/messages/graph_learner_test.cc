#include "trainer/methods/messages/graph_learner.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/messages/compgcn_encoder.h"
#include "trainer/methods/messages/gat_encoder.h"
#include "trainer/methods/messages/gcn_encoder.h"
#include "trainer/methods/messages/hgt_encoder.h"
#include "trainer/methods/messages/rgcn_encoder.h"
#include "trainer/methods/method_registry.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

GraphData ToyData() {
  return RandomMultigraph({.nodes = 20,
                           .links = 45,
                           .relations = 2,
                           .isolated = 1,
                           .self_loop_rate = 0},
                          4);
}

class GraphLearnerTest : public testing::TestWithParam<std::string> {
 protected:
  GraphLearnerTest() { options_.dim = 8; }

  std::unique_ptr<GraphLearner> MakeLearner(const MethodInput& input) {
    at::manual_seed(1);
    const EncoderShape shape = ShapeOf(options_);
    const size_t relations = input.snapshot->relation_count();
    GraphNetwork network;
    if (GetParam() == "gcn") {
      network.encoder = std::make_unique<GcnEncoder>(shape);
    }
    if (GetParam() == "gat") {
      network.encoder = std::make_unique<GatEncoder>(shape, 2);
    }
    if (GetParam() == "rgcn") {
      network.encoder = std::make_unique<RgcnEncoder>(shape, relations, 2);
      network.scorer =
          std::make_shared<DistMultScorer>(options_.VectorDim(), 0.1);
    }
    if (GetParam() == "hgt") {
      network.encoder = std::make_unique<HgtEncoder>(
          shape, input.snapshot->node_type_count(), relations, 2);
      network.scorer =
          std::make_shared<DistMultScorer>(options_.VectorDim(), 0.1);
      options_.nodes_of_type = 50;
    }
    if (GetParam() == "compgcn") {
      network.encoder = std::make_unique<CompGcnEncoder>(
          shape, relations, CompGcnComposition::kCorr);
      network.scorer = std::make_shared<TranslationScorer>();
    }
    encoder_ = network.encoder.get();
    sampler_ = *NegativeSampler::Create(*input.snapshot, input.negatives);
    return std::make_unique<GraphLearner>(input, options_, *sampler_,
                                          std::move(network));
  }

  static MethodInput InputOf(const GraphSnapshot& snapshot) {
    MethodInput input;
    input.snapshot = &snapshot;
    return input;
  }

  GraphTrainingOptions options_;
  std::unique_ptr<NegativeSampler> sampler_;
  GraphEncoder* encoder_ = nullptr;  // of the latest learner
};

// A link carries no message while it is scored: its score equals that in a
// graph without it.
TEST_P(GraphLearnerTest, ABatchIsScoredWithoutItsOwnLinks) {
  const GraphData data = ToyData();
  const auto with = BuildSnapshotOrDie(data);
  const MethodInput input_with = InputOf(*with);
  const auto sampler = *NegativeSampler::Create(*with, NegativeMix());
  const LinkParts parts(*with, *sampler, 4, 11);
  const LinkBatch batch = parts.Batch(2, 1, 1);
  ASSERT_GT(batch.positives, 0u);
  const auto without =
      BuildSnapshotOrDie(RebuildWithout(data, [&](const Link& link) {
        const std::span<const Link> own = parts.Positives(2);
        return std::find(own.begin(), own.end(), link) != own.end();
      }));
  const MethodInput input_without = InputOf(*without);
  for (const char* graph : {"whole", "sampled"}) {
    options_.graph = graph;
    options_.neighbors = 50;
    const auto learner = MakeLearner(input_with);
    const at::Tensor hidden = learner->ScoreWithout(batch, parts.Hidden(2));
    const at::Tensor shown = learner->ScoreWithout(batch, {});
    const at::Tensor removed =
        MakeLearner(input_without)->ScoreWithout(batch, {});
    EXPECT_TRUE(at::allclose(hidden, removed, 1e-5, 1e-6)) << graph;
    EXPECT_FALSE(at::allclose(hidden, shown, 1e-5, 1e-6)) << graph;
  }
}

TEST_P(GraphLearnerTest, SamplesOfAllNeighboursScoreAsTheWholeGraph) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const MethodInput input = InputOf(*snapshot);
  const LinkBatch batch = {{{0, 0, 3}, {5, 1, 7}, {19, 0, 0}}, 3};
  options_.output = "all";
  options_.neighbors = 50;
  options_.graph = "whole";
  const at::Tensor whole = MakeLearner(input)->ScoreWithout(batch, {});
  options_.graph = "sampled";
  const at::Tensor sampled = MakeLearner(input)->ScoreWithout(batch, {});
  EXPECT_TRUE(at::allclose(whole, sampled, 1e-5, 1e-6));
}

TEST_P(GraphLearnerTest, FinalVectorsGiveTheScoresOfSteps) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const MethodInput input = InputOf(*snapshot);
  const auto learner = MakeLearner(input);
  const LinkBatch batch = {{{0, 0, 3}, {5, 1, 7}, {19, 0, 0}}, 3};
  const at::Tensor expected = learner->ScoreWithout(batch, {});
  const auto method = learner->MakeMethod({});
  std::vector<float> scores(3), out(1), in(1);
  method->Score(batch.links, batch.links, scores);
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(scores[static_cast<size_t>(i)], expected[i].item<float>(),
                1e-4);
  }
  const std::vector<NodeId> target = {7}, source = {5};
  method->ScoreCandidates({5, 1, Direction::kOut}, target, out);
  method->ScoreCandidates({7, 1, Direction::kIn}, source, in);
  EXPECT_NEAR((out[0] + in[0]) / 2, scores[1], 1e-4);
}

// So large vectors of arcs that a block has one node.
TEST_P(GraphLearnerTest, FinalVectorsDoNotDependOnTheSizeOfBlocks) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const MethodInput input = InputOf(*snapshot);
  options_.graph = "whole";
  const auto learner = MakeLearner(input);
  const at::Tensor whole = learner->FinalVectors();
  options_.vectors_of_arc = 100'000'000;
  ASSERT_LT(options_.MostArcsAtOnce(), 1);
  EXPECT_TRUE(at::allclose(learner->FinalVectors(), whole, 1e-4, 1e-5));
}

TEST_P(GraphLearnerTest, RestoreGoesBackToTheKeptState) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const MethodInput input = InputOf(*snapshot);
  const auto learner = MakeLearner(input);
  std::string batch_name;
  ASSERT_TRUE(learner->RunEpoch(1, &batch_name).ok());
  learner->Keep();
  const at::Tensor kept = learner->FinalVectors();
  ASSERT_TRUE(learner->RunEpoch(2, &batch_name).ok());
  EXPECT_FALSE(at::allclose(learner->FinalVectors(), kept));
  learner->Restore();
  EXPECT_TRUE(at::equal(learner->FinalVectors(), kept));
}

TEST_P(GraphLearnerTest, LinearDecayMakesTheLastStepsSmall) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const MethodInput input = InputOf(*snapshot);
  options_.epochs = 10;
  const auto change_in_last_epoch = [&](const std::string& decay) {
    options_.decay = decay;
    const auto learner = MakeLearner(input);
    const at::Tensor before = learner->FinalVectors();
    std::string batch_name;
    EXPECT_TRUE(learner->RunEpoch(10, &batch_name).ok());
    return (learner->FinalVectors() - before).norm().item<double>();
  };
  const double full = change_in_last_epoch("none");
  const double slow = change_in_last_epoch("linear");
  EXPECT_GT(slow, 0);
  EXPECT_LT(slow, full / 4);
}

// The AUROC of the train links among all pairs of two nodes.
double TrainAuroc(const TrainedMethod& method, const GraphSnapshot& snapshot) {
  std::vector<Link> links;
  std::vector<uint8_t> labels;
  for (NodeId s = 0; s < snapshot.node_count(); ++s) {
    for (NodeId t = 0; t < snapshot.node_count(); ++t) {
      if (s == t) continue;
      links.push_back({s, 0, t});
      labels.push_back(snapshot.HasLink(links.back()) ? 1 : 0);
    }
  }
  std::vector<float> scores(links.size());
  method.Score(links, links, scores);
  return Auroc(scores, labels);
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainToy(
    const std::string& name, const GraphSnapshot& snapshot,
    std::vector<std::string> settings, uint64_t seed = 1) {
  MethodInput input;
  input.snapshot = &snapshot;
  input.seed = seed;
  const MethodInfo& info = **FindMethod(name);
  const auto parameters = ParameterValues::Parse(info.parameters, settings);
  if (!parameters.ok()) return parameters.status();
  return TrainByMethod(info, input, *parameters);
}

TEST_P(GraphLearnerTest, LearnsAToyGraphCompletely) {
  // Four groups whose nodes are all linked: neighbours tell everything.
  GraphData data = ToyData();
  data.links.clear();
  for (NodeId s = 0; s < 20; ++s) {
    for (NodeId t = 0; t < 20; ++t) {
      if (s != t && s / 5 == t / 5) data.links.push_back({s, 0, t});
    }
  }
  data.catalogue.relations = {"near"};
  const auto snapshot = BuildSnapshotOrDie(data);
  for (const std::string graph : {"whole", "sampled"}) {
    const auto trained = TrainToy(
        GetParam(), *snapshot,
        {"dim=16", "epochs=60", "dropout=0", "weight_decay=0", "parts=10",
         "learning_rate=0.02", "candidates=0", "batch_size=16", "neighbors=5",
         "choose_by=auroc", "graph=" + graph});
    ASSERT_TRUE(trained.ok()) << trained.status();
    EXPECT_GT(TrainAuroc(**trained, *snapshot), 0.97) << graph;
    EXPECT_LT((*trained)->summary().loss.back().y,
              (*trained)->summary().loss.front().y);
  }
}

TEST_P(GraphLearnerTest, OneSeedGivesOneResult) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const std::vector<std::string> settings = {"dim=8", "epochs=3",
                                             "dropout=0.2"};
  const auto first = *TrainToy(GetParam(), *snapshot, settings);
  const auto again = *TrainToy(GetParam(), *snapshot, settings);
  const auto other = *TrainToy(GetParam(), *snapshot, settings, 2);
  const auto values = [](const TrainedMethod& method) {
    const auto all = method.embeddings().values;
    return std::vector<float>(all.begin(), all.end());
  };
  EXPECT_EQ(values(*first), values(*again));
  EXPECT_NE(values(*first), values(*other));
}

TEST_P(GraphLearnerTest, ANanLossEndsTheEpochAndNamesTheBatch) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const MethodInput input = InputOf(*snapshot);
  const auto learner = MakeLearner(input);
  std::vector<at::Tensor> spoilt;
  for (const at::Tensor& parameter : encoder_->parameters()) {
    spoilt.push_back(at::full_like(parameter, NAN));
  }
  encoder_->SetParameters(spoilt);
  std::string batch_name;
  const auto loss = learner->RunEpoch(1, &batch_name);
  ASSERT_TRUE(loss.ok()) << loss.status();
  EXPECT_TRUE(std::isnan(*loss));
  EXPECT_EQ(batch_name, "batch 1");
}

INSTANTIATE_TEST_SUITE_P(All, GraphLearnerTest,
                         testing::Values("gcn", "gat", "rgcn", "hgt",
                                         "compgcn"),
                         [](const auto& info) { return info.param; });

// The softmax over candidates raises the ranks of links, on samples and on the
// whole graph.
class RankingTest : public testing::TestWithParam<
                        std::pair<std::string, std::vector<std::string>>> {};

TEST_P(RankingTest, LearnsRanks) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const std::span<const LabelledLink> no_rows;
  const MethodRanking ranking(*snapshot, {&no_rows, 1});
  std::vector<LabelledLink> rows;
  for (NodeId node = 0; node < snapshot->node_count(); ++node) {
    const ArcSpan arcs = snapshot->Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      rows.push_back({{node, arcs.relations[i], arcs.neighbors[i]}, true});
    }
  }
  const std::vector<LinkQuestion> questions = SampleQuestions(rows, 1000);
  for (const std::string graph : {"whole", "sampled"}) {
    std::vector<std::string> settings = {
        "dim=16",      "candidates=15", "choose_by=mrr", "batch_size=16",
        "neighbors=5", "parts=5",       "epochs=1",      "graph=" + graph};
    const auto& [name, more] = GetParam();
    settings.insert(settings.end(), more.begin(), more.end());
    const auto early = *TrainToy(name, *snapshot, settings);
    settings[6] = "epochs=60";
    const auto late = *TrainToy(name, *snapshot, settings);
    EXPECT_GT(MeanReciprocalRank(ranking, *late, questions, 1),
              0.2 + MeanReciprocalRank(ranking, *early, questions, 1))
        << graph;
  }
}

using Named = std::pair<std::string, std::vector<std::string>>;
INSTANTIATE_TEST_SUITE_P(
    All, RankingTest,
    testing::Values(Named{"rgcn", {}}, Named{"hgt", {"scorer=distmult"}},
                    Named{"compgcn", {"composition=mult", "scorer=distmult"}},
                    Named{"compgcn", {"composition=sub", "scorer=transe"}},
                    Named{"compgcn", {"composition=corr", "scorer=conve"}}),
    [](const auto& info) {
      std::string name = info.param.first;
      for (const std::string& setting : info.param.second) {
        name += "_" + setting.substr(setting.find('=') + 1);
      }
      return name;
    });

TEST(LinkPartsTest, EveryLinkIsScoredOnceAndHiddenMeanwhile) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const auto sampler = *NegativeSampler::Create(*snapshot, NegativeMix());
  const LinkParts parts(*snapshot, *sampler, 5, 3);
  size_t seen = 0;
  for (int part = 0; part < parts.count(); ++part) {
    for (const Link& link : parts.Positives(part)) {
      ++seen;
      for (int other = 0; other < parts.count(); ++other) {
        EXPECT_EQ(parts.Hidden(other).Hides(link.target, link.source),
                  other == part);
      }
    }
  }
  EXPECT_EQ(seen, snapshot->link_count());
}

TEST(LinkPartsTest, NegativesAreNoLinksAndThreadsChangeNothing) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const auto sampler = *NegativeSampler::Create(*snapshot, NegativeMix());
  const LinkParts parts(*snapshot, *sampler, 2, 3);
  const LinkBatch batch = parts.Batch(1, 3, 1);
  EXPECT_EQ(batch.links.size(), 4 * batch.positives);
  for (size_t i = 0; i < batch.links.size(); ++i) {
    EXPECT_EQ(snapshot->HasLink(batch.links[i]), i < batch.positives);
  }
  EXPECT_EQ(parts.Batch(1, 3, 4).links, batch.links);
}

TEST(GraphMethodsTest, HeadsThatDoNotDivideDimAreNamed) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const auto trained =
      TrainToy("gat", *snapshot, {"dim=10", "heads=4", "layers=2"});
  EXPECT_EQ(trained.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(trained.status().message()), HasSubstr("heads=4"));
}

TEST(GraphMethodsTest, HeadsThatDoNotDivideDimOfHgtAreNamed) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const auto trained = TrainToy("hgt", *snapshot, {"dim=10", "heads=4"});
  EXPECT_EQ(trained.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(trained.status().message()), HasSubstr("heads=4"));
}

// This holds with the default of one layer, too.
TEST(GraphMethodsTest, HeadsOfGatChangeItsScores) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const std::vector<Link> links = {{0, 0, 1}, {2, 0, 3}, {4, 1, 5}};
  const auto scores = [&](const std::string& heads) {
    const auto trained = TrainToy("gat", *snapshot, {"dim=8", heads});
    std::vector<float> values(links.size());
    (*trained)->Score(links, links, values);
    return values;
  };
  EXPECT_EQ(scores("heads=4"), scores("heads=4"));
  EXPECT_NE(scores("heads=4"), scores("heads=1"));
}

TEST(GraphMethodsTest, ADimThatMakesNoPictureIsNamed) {
  const auto snapshot = BuildSnapshotOrDie(ToyData());
  const auto trained =
      TrainToy("compgcn", *snapshot, {"dim=7", "scorer=conve"});
  EXPECT_EQ(trained.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(trained.status().message()), HasSubstr("dim=7"));
}

TEST(NodeTableTest, ChangesTheRowsOfAStepAsAdamDoes) {
  at::manual_seed(1);
  NodeTable table(6, 4);
  const at::Tensor start = table.values().clone();
  at::Tensor own = start.clone().set_requires_grad(true);
  const auto adam = MakeAdam({{own}}, 0.1);
  const std::vector<NodeId> rows = {4, 1};
  for (int step = 0; step < 5; ++step) {
    const at::Tensor gradient = at::randn({2, 4});
    table.Update(rows, gradient, {0.1, 0});
    at::Tensor all = at::zeros({6, 4});
    all[4] = gradient[0];
    all[1] = gradient[1];
    own.mutable_grad() = all;
    adam->Step();
  }
  EXPECT_TRUE(at::allclose(table.values(), own.detach(), 1e-5, 1e-6));
  EXPECT_TRUE(at::equal(table.values()[0], start[0]));
}

}  // namespace
}  // namespace slice
