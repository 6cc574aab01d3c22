#include "trainer/methods/knowledge/complex.h"

#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/learning/training_links.h"
#include "trainer/methods/knowledge/knowledge_model.h"
#include "trainer/methods/method_ranking.h"

namespace slice {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr uint32_t kNodes = 20;

// A ring, a link from each node to its opposite node, and a hub that has a link
// to every node.
GraphData RingWithHub() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"next", "opposite", "all"};
  for (uint32_t node = 0; node < kNodes; ++node) {
    const std::string key = absl::StrCat("n", node);
    data.catalogue.nodes.push_back({key, key, 0});
    data.links.push_back({node, 0, (node + 1) % kNodes});
    data.links.push_back({node, 1, (node + kNodes / 2) % kNodes});
    data.links.push_back({0, 2, node});
  }
  return data;
}

ComplexTraining SmallTraining() {
  ComplexTraining training;
  training.options.dim = 16;
  training.options.batch = 20;
  training.options.loss = {.n3 = 0.001, .relation_prediction = 0.1};
  training.options.threads = 2;
  training.epochs = 60;
  return training;
}

// The filtered MRR of the train links, in both directions.
double TrainMrr(const KnowledgeTables& tables, const GraphSnapshot& snapshot) {
  std::vector<LinkQuestion> questions;
  for (const Link& link : AllLinks(snapshot)) {
    questions.push_back({link, Direction::kOut});
    questions.push_back({link, Direction::kIn});
  }
  return MeanReciprocalRank(MethodRanking(snapshot, {}),
                            KnowledgeModel(tables, MethodSummary()), questions,
                            /*threads=*/1);
}

// All nodes as rivals, and a few that are drawn for each step.
TEST(ComplexTest, ASmallGraphIsLearntCompletely) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  for (const size_t rivals : {size_t{8192}, size_t{5}}) {
    ComplexTraining training = SmallTraining();
    training.options.rivals = rivals;
    const auto trained = TrainComplex(*snapshot, {}, training);
    ASSERT_TRUE(trained.ok()) << trained.status();
    EXPECT_GT(TrainMrr(trained->tables, *snapshot), 0.98) << rivals;
    const MethodSummary& summary = trained->summary;
    EXPECT_LT(summary.loss.back().y, summary.loss.front().y / 2);
  }
}

TEST(ComplexTest, OneSeedAndThreadCountGiveOneResult) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  ComplexTraining training = SmallTraining();
  training.epochs = 3;
  const auto one = TrainComplex(*snapshot, {}, training);
  const auto two = TrainComplex(*snapshot, {}, training);
  training.options.seed = 2;
  const auto other = TrainComplex(*snapshot, {}, training);
  ASSERT_TRUE(one.ok() && two.ok() && other.ok());
  EXPECT_EQ(one->tables.entities, two->tables.entities);
  EXPECT_NE(one->tables.entities, other->tables.entities);
}

// The vectors that are kept are the moving average of those of the epochs.
TEST(ComplexTest, TheAverageIsThatOfTheEpochs) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  const MethodRanking ranking(*snapshot, {});
  ComplexOptions options = SmallTraining().options;
  options.average = 1;
  ComplexLearner plain(*snapshot, ranking, {}, options);
  options.average = 0.25;
  ComplexLearner averaged(*snapshot, ranking, {}, options);
  std::vector<float> expected;
  std::string batch_name;
  for (int epoch = 1; epoch <= 3; ++epoch) {
    ASSERT_TRUE(plain.RunEpoch(epoch, &batch_name).ok());
    ASSERT_TRUE(averaged.RunEpoch(epoch, &batch_name).ok());
    const std::vector<float>& newest = plain.tables().entities;
    if (epoch == 1) expected = newest;
    for (size_t i = 0; i < newest.size(); ++i) {
      expected[i] = 0.75f * expected[i] + 0.25f * newest[i];
    }
  }
  averaged.Keep();
  averaged.Restore();
  EXPECT_THAT(averaged.tables().entities,
              Pointwise(FloatNear(1e-6f), expected));
}

// The losses of the first `epochs` epochs, at a rate near zero: the vectors
// stay as they are.
std::vector<double> LossesAtRest(ComplexOptions options, int epochs) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  const MethodRanking ranking(*snapshot, {});
  options.learning_rate = 1e-9;
  ComplexLearner learner(*snapshot, ranking, {}, options);
  std::vector<double> losses;
  std::string batch_name;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    losses.push_back(*learner.RunEpoch(epoch, &batch_name));
  }
  return losses;
}

// However the answers of a question are divided among steps, an epoch learns
// every link once in each direction: its loss is equal.
TEST(ComplexTest, AnEpochLearnsEveryLinkOnce) {
  ComplexOptions options = SmallTraining().options;
  std::vector<double> losses;
  for (const size_t most_answers : {1u, 3u, 64u}) {
    options.most_answers = most_answers;
    for (const double loss : LossesAtRest(options, 2)) losses.push_back(loss);
  }
  EXPECT_THAT(losses, Each(DoubleNear(losses[0], 1e-4)));
}

TEST(ComplexTest, TheStateThatRanksValidBestIsKept) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  const std::vector<LabelledLink> valid = {{{0, 0, 7}, true},
                                           {{5, 1, 9}, true}};
  ComplexTraining training = SmallTraining();
  training.look_every = 1;
  const auto trained = TrainComplex(*snapshot, valid, training);
  ASSERT_TRUE(trained.ok()) << trained.status();
  // These links do not follow from the others, so learning harms them.
  EXPECT_LT(trained->summary.epochs, training.epochs);
  EXPECT_THAT(trained->summary.stopped, HasSubstr("no better"));
  const std::span<const LabelledLink> held_out[] = {valid};
  EXPECT_EQ(MeanReciprocalRank(MethodRanking(*snapshot, held_out),
                               KnowledgeModel(trained->tables, MethodSummary()),
                               SampleQuestions(valid, training.valid_links),
                               /*threads=*/1),
            trained->summary.best_valid);
  EXPECT_GT(trained->summary.best_valid, trained->summary.valid.back().y);
}

// The links of a hub are answers to one question. As rivals of each other they
// add to the loss of each.
TEST(ComplexTest, AnswersOfAQuestionCompeteOnlyWhenTheyShould) {
  ComplexOptions options = SmallTraining().options;
  options.answers_compete = false;
  const double left_out = LossesAtRest(options, 1)[0];
  options.answers_compete = true;
  EXPECT_GT(LossesAtRest(options, 1)[0], left_out + 0.1);
}

TEST(ComplexTest, BadInputIsRefused) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  ComplexTraining training = SmallTraining();
  training.options.dim = 7;
  const auto odd = TrainComplex(*snapshot, {}, training);
  EXPECT_EQ(odd.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(odd.status().message()), HasSubstr("dim is 7"));
  GraphData empty = RingWithHub();
  empty.links.clear();
  EXPECT_EQ(TrainComplex(*BuildSnapshotOrDie(empty), {}, SmallTraining())
                .status()
                .code(),
            absl::StatusCode::kFailedPrecondition);
  training = SmallTraining();
  training.options.learning_rate = 1e30;
  EXPECT_EQ(TrainComplex(*snapshot, {}, training).status().code(),
            absl::StatusCode::kAborted);
}

TEST(ComplexTest, TheMethodReadsItsParameters) {
  const auto snapshot = BuildSnapshotOrDie(RingWithHub());
  const MethodInfo info = ComplexMethod();
  const std::vector<std::string> settings = {"dim=8", "epochs=2", "batch=7",
                                             "n3=0.2", "negatives=3"};
  const auto parameters = ParameterValues::Parse(info.parameters, settings);
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  MethodInput input;
  input.snapshot = snapshot.get();
  const auto method = info.train(input, *parameters);
  ASSERT_TRUE(method.ok()) << method.status();
  EXPECT_EQ((*method)->embeddings().dim, 8u);
  EXPECT_EQ((*method)->summary().epochs, 2);
  EXPECT_GT(info.memory(input, *parameters), 0);
}

}  // namespace
}  // namespace slice
