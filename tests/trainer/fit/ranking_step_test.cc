// The step `rank` and the questions it learns from, on a planted graph.
#include "trainer/fit/ranking_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "common/files.h"
#include "common/random.h"
#include "model/frozen_network.h"
#include "model/link_predictor.h"
#include "model/native_network.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/fit/fit.h"
#include "trainer/fit/hard_questions.h"
#include "trainer/fit/training_steps.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr size_t kRivals = 12, kOthers = 6;

class RankingStepTest : public ::testing::Test {
 protected:
  RankingStepTest() { WritePlantedFiles(directory_, 7); }

  FitOptions Options(uint64_t hard_questions) const {
    FitOptions options = FitOptionsIn(directory_);
    EXPECT_TRUE(options.ApplyPreset("fast").ok());
    options.structural_epochs = 2;
    options.hard_questions = hard_questions;
    return options;
  }

  TrainedModel Train() const {
    const FitOptions options = Options(0);
    EXPECT_TRUE(CreateDirectories(options.WorkFolder()).ok());
    StepLog log(options.WorkFolder(), 9);
    auto model = RunTrainingSteps(options, *ImportTraining(options),
                                  FitStep::kFineTune, log);
    EXPECT_TRUE(model.ok()) << model.status();
    return std::move(**model);
  }

  // Finds questions about train, or about valid.
  std::vector<HardQuestion> Find(const TrainedModel& model, bool held_out,
                                 size_t others) const {
    const LearningInputs& inputs = model.inputs;
    const TrainingExamples examples =
        *inputs.Examples({AllLinks(inputs.graph()), /*salt=*/3});
    HardQuestionSearch search;
    search.rivals = kRivals;
    search.others = others;
    search.most_questions = 100;
    search.held_out = held_out;
    std::vector<Link> positives = AllLinks(inputs.graph());
    if (held_out) {
      positives.clear();
      for (const LabelledLink& row : inputs.training.valid()) {
        if (row.positive) positives.push_back(row.link);
      }
      search.known = KnownLinks(std::vector{inputs.training.valid()});
    }
    return *FindHardQuestions(
        inputs, {model.structural.tables, model.fine_tuned.network_file},
        examples, positives, search);
  }

  TempDirectory directory_;
};

TEST_F(RankingStepTest, RivalsAreNoKnownAnswers) {
  const TrainedModel model = Train();
  const GraphSnapshot& graph = model.inputs.graph();
  for (const bool held_out : {false, true}) {
    const std::vector<HardQuestion> questions = Find(model, held_out, kOthers);
    ASSERT_GT(questions.size(), 5u);
    std::set<Direction> directions;
    for (const HardQuestion& question : questions) {
      directions.insert(question.direction);
      EXPECT_EQ(graph.HasLink(question.link), !held_out);
      EXPECT_LE(question.rivals.size(), kRivals + kOthers);
      const std::set<NodeId> distinct(question.rivals.begin(),
                                      question.rivals.end());
      EXPECT_EQ(distinct.size(), question.rivals.size());
      for (const NodeId rival : question.rivals) {
        const Link link = question.question().With(rival);
        EXPECT_FALSE(graph.HasLink(link));
        EXPECT_NE(link, question.link);
      }
    }
    EXPECT_EQ(directions.size(), 2u);
  }
}

// Otherwise "the worst of the list" would be an answer that can be learned.
TEST_F(RankingStepTest, NoAnswerIsTheWorstOfItsList) {
  const TrainedModel model = Train();
  const LearningInputs& inputs = model.inputs;
  const TrainingExamples examples =
      *inputs.Examples({AllLinks(inputs.graph()), /*salt=*/3});
  const LinkEncoder encoder = inputs.Encoder(model.structural.tables, 0);
  const auto network = *FrozenNetwork::Load(
      model.structural.network_file,
      {.embeddings = {inputs.embeddings.values.data(),
                      static_cast<int64_t>(inputs.graph().node_count()),
                      inputs.embeddings.dim}});
  for (const HardQuestion& question : Find(model, false, 0)) {
    const size_t length = question.rivals.size() + 1;
    const ListChunk list =
        EncodeLists(examples, encoder, {&question, 1}, {.length = length});
    std::vector<float> logits;
    for (const EncodedLink& link : list.links) {
      logits.push_back((*network->ScoreStructural(
          link.link.relation, link.pair_features,
          link.pair_features
              .size()))[0][static_cast<int>(Question::kAmongKind)]);
    }
    EXPECT_GE(logits[0], *std::min_element(logits.begin() + 1, logits.end()));
  }
}

class RankedFitTest : public RankingStepTest {
 protected:
  std::shared_ptr<const ModelBundle> Fit(uint64_t hard_questions) const {
    const absl::Status fitted = slice::Fit(Options(hard_questions));
    EXPECT_TRUE(fitted.ok()) << fitted;
    return *ModelBundle::Open(directory_ / "bundle");
  }
};

// A server of the bundle ranks by the second network, and answers by the first.
TEST_F(RankedFitTest, TheBundleRanksByANetworkOfItsOwn) {
  const std::filesystem::path plain = directory_ / "bundle";
  EXPECT_FALSE(Fit(0)->ranking_network().has_value());
  const BundleManifest manifest = Fit(200)->manifest();
  std::error_code error;
  std::filesystem::copy_file(
      Options(200).WorkFile("ranking.pt"), plain / "ranking.pt",
      std::filesystem::copy_options::overwrite_existing, error);
  ASSERT_FALSE(error);
  ASSERT_TRUE(*AddNativeNetwork(plain));
  std::filesystem::remove(plain / "MANIFEST.json", error);
  ASSERT_TRUE(PublishBundle(plain, directory_ / "ranked", manifest).ok());
  const auto bundle = *ModelBundle::Open(directory_ / "ranked");
  ASSERT_TRUE(bundle->ranking_network().has_value());
  EXPECT_TRUE(bundle->ranking_network()->native.has_value());
  const size_t width = bundle->manifest().pair_features.size();
  Random random(3);
  std::vector<float> features(20 * width);
  for (float& value : features) value = random.Uniform() * 4 - 2;
  std::vector<std::vector<float>> scores;
  for (const ForwardPath path :
       {ForwardPath::kNative, ForwardPath::kTorchScript}) {
    const auto predictor = *LinkPredictor::Create(bundle, {.path = path});
    scores.push_back(*predictor->ScoreForRanking(0, features, width));
    const auto logits = *predictor->ScoreStructural(0, features, width);
    float difference = 0;
    for (size_t i = 0; i < logits.size(); ++i) {
      difference =
          std::max(difference,
                   std::abs(scores.back()[i] -
                            logits[i][static_cast<int>(Question::kAmongKind)]));
    }
    EXPECT_GT(difference, 0.01f);
  }
  ASSERT_EQ(scores[0].size(), 20u);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(scores[0][i], scores[1][i], 1e-4);
  }
}

// Whether the network is in the bundle is what the report says.
TEST_F(RankedFitTest, TheReportSaysWhetherItIsUsed) {
  const bool used = Fit(200)->ranking_network().has_value();
  const std::string report = *ReadFile(directory_ / "bundle/report/report.txt");
  EXPECT_THAT(report, HasSubstr(used ? "ranking network: used, as its gain"
                                     : "ranking network: not used, as"));
}

TEST_F(RankedFitTest, AFurtherRunDoesNotTrainAgain) {
  Fit(60);
  const auto trained = [&] {
    return std::filesystem::last_write_time(Options(60).WorkFile("ranking.pt"));
  };
  const auto before = trained();
  Fit(60);
  EXPECT_EQ(trained(), before);
}

TEST(LearnsToRankTest, OnlyWhereThereIsAStructuralScorer) {
  FitOptions options;
  EXPECT_TRUE(LearnsToRank(options));
  options.hard_questions = 0;
  EXPECT_FALSE(LearnsToRank(options));
  options.hard_questions = 10;
  ASSERT_TRUE(options.ApplyPreset("paper").ok());
  EXPECT_FALSE(LearnsToRank(options));
}

}  // namespace
}  // namespace slice
