#include "trainer/evaluation/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/random.h"
#include "context/pair_features.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "tests/trainer/evaluation/function_scorer.h"
#include "trainer/evaluation/explanations.h"
#include "trainer/evaluation/ranking_evaluation.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/evaluation/report_filling.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

// Has one score for all three scorers, as a network without a contextual part.
class StructuralScorer final : public FunctionScorer {
 public:
  using FunctionScorer::FunctionScorer;

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override {
    auto predictions = FunctionScorer::Predict(batch);
    for (Prediction& prediction : *predictions) {
      prediction.logits.fill(prediction.logits[0]);
    }
    return predictions;
  }
};

class EvaluationTest : public ::testing::Test {
 protected:
  EvaluationTest()
      : graph_(BuildSnapshotOrDie(
            RandomMultigraph({.nodes = 40, .links = 220, .node_types = 1}, 1))),
        encoder_(Options(), graph_->relation_count(), 1, EncoderTables()) {
    Random random(5);
    std::set<Link> seen;
    while (rows_.size() < 400) {
      const Link link = {random.Below(40),
                         static_cast<RelationId>(random.Below(4)),
                         random.Below(40)};
      if (!graph_->HasLink(link) && seen.insert(link).second) {
        rows_.push_back({link, rows_.size() % 2 == 0});
      }
    }
  }

  static LinkEncoderOptions Options() {
    LinkEncoderOptions options;
    options.context.strategy = ContextStrategy::kShortestPaths;
    options.use_pair_features = false;
    return options;
  }

  ScoringModel Model(const BatchScorer& scorer) const {
    return {graph_.get(), &encoder_, &scorer};
  }
  KnownLinks Known() const {
    const std::span<const LabelledLink> files[] = {rows_};
    return KnownLinks(files);
  }
  ScoredSplit ScoreOrDie(const BatchScorer& scorer,
                         const ScoreSplitOptions& options = {}) const {
    auto split = ScoreSplit(Model(scorer), rows_, Known(), options);
    EXPECT_TRUE(split.ok()) << split.status();
    return *std::move(split);
  }

  std::shared_ptr<const GraphSnapshot> graph_;
  LinkEncoder encoder_;
  std::vector<LabelledLink> rows_;
};

TEST_F(EvaluationTest, EveryMethodScoresEveryLink) {
  const FunctionScorer scorer(ByHash);
  const ScoredSplit split = ScoreOrDie(scorer);
  std::vector<std::string> keys;
  for (const MethodScores& method : split.methods) {
    keys.push_back(method.key);
    for (const auto& column : method.scores) {
      EXPECT_EQ(column.size(), split.links.size()) << method.key;
    }
  }
  // The column of the ends scorer is constant: this model has none.
  EXPECT_THAT(keys,
              ElementsAre("context", "structural", "popularity",
                          "common_neighbors", "adamic_adar", "three_paths"));
  for (size_t i = 0; i < split.links.size(); ++i) {
    EXPECT_EQ(split.model().of(Question::kPlausible)[i],
              ByHash(split.links.links[i], {}));
    EXPECT_EQ(split.model().of(Question::kAmongKind)[i],
              -ByHash(split.links.links[i], {}));
  }
}

TEST_F(EvaluationTest, TheScorerThatAnswersComesFirst) {
  const FunctionScorer scorer(ByHash);
  ScoreSplitOptions options;
  options.answering = Scorer::kStructural;
  options.baselines = false;
  const ScoredSplit split = ScoreOrDie(scorer, options);
  ASSERT_EQ(split.methods.size(), 2u);
  EXPECT_EQ(split.model().key, "structural");
  EXPECT_EQ(split.methods[1].key, "context");
}

TEST_F(EvaluationTest, AScorerThatAnswersForTheOthersIsListedOnce) {
  const StructuralScorer scorer(ByHash);
  ScoreSplitOptions options;
  options.answering = Scorer::kStructural;
  options.baselines = false;
  const ScoredSplit split = ScoreOrDie(scorer, options);
  ASSERT_EQ(split.methods.size(), 1u);
  EXPECT_EQ(split.model().key, "structural");
}

TEST_F(EvaluationTest, ThePositiveIsHiddenForItsNegativeToo) {
  const FunctionScorer scorer(ByHash);
  const ScoringModel model = Model(scorer);
  int changed = 0;
  for (const Link& from : {Link{0, 0, 0}, Link{0, 1, 1}}) {
    for (NodeId other = 2; other < 12; ++other) {
      const Link linked = {0, from.relation, 1};
      const Link negative = {0, from.relation, other};
      const GraphView view = EvaluationView(model, negative, linked);
      EXPECT_FALSE(view.AreNeighbors(0, 1));
      EXPECT_FALSE(view.AreNeighbors(0, other));
      changed += graph_->AreNeighbors(0, 1);
      // And nothing else.
      GraphView expected(*graph_);
      expected.HidePair(0, 1);
      expected.HidePair(0, other);
      for (NodeId node = 0; node < 40; ++node) {
        EXPECT_EQ(view.ArcCount(node), expected.ArcCount(node));
      }
    }
  }
  EXPECT_GT(changed, 0);
}

TEST_F(EvaluationTest, EachQuestionIsCalibratedOnItsOwnNegatives) {
  const FunctionScorer scorer(ByHash);
  const ScoredSplit split = ScoreOrDie(scorer);
  for (const auto& [question, set] :
       {std::pair(Question::kPlausible, NegativeSet::kPublished),
        std::pair(Question::kAmongKind, NegativeSet::kTyped)}) {
    const CalibrationRows rows = CalibrationRowsOf(split, question, {});
    const std::vector<float> scores = split.ScoresOf(split.model(), set);
    EXPECT_EQ(rows.logits, std::vector<double>(scores.begin(), scores.end()));
    EXPECT_EQ(rows.labels, split.LabelsOf(set));
    const Calibration fitted =
        CalibrateQuestions(split)[static_cast<size_t>(question)];
    EXPECT_EQ(fitted.temperature, CalibrateTogether(rows).temperature);
    EXPECT_EQ(fitted.threshold, CalibrateTogether(rows).threshold);
  }
}

TEST_F(EvaluationTest, AnswersAreThoseOfTheServer) {
  const FunctionScorer scorer(ByHash);
  ScoredSplit split = ScoreOrDie(scorer);
  const std::vector<float> logits = split.model().of(Question::kPlausible);
  OutputReading reading;
  CalibrateReading(split, graph_->relation_count(), reading);
  ReadAnswers(reading, split);
  for (size_t i = 0; i < split.links.size(); ++i) {
    // What a server computes of the same logits.
    Prediction prediction;
    prediction.logits[0] = {logits[i], 0};
    prediction.relation = split.links.links[i].relation;
    prediction.flags = split.flags[i];
    prediction.Read(reading);
    EXPECT_NEAR(Sigmoid(split.answers[0][i]), prediction.probability, 1e-6);
    EXPECT_EQ(logits[i] >= split.model().thresholds[0][i], prediction.decision);
  }
}

TEST_F(EvaluationTest, ThresholdsComeFromValidAlone) {
  const FunctionScorer scorer(ByHash);
  ScoredSplit split = ScoreOrDie(scorer);
  SetThresholds(nullptr, split);
  EXPECT_TRUE(split.model().thresholds[0].empty());
  EXPECT_TRUE(std::isnan(split.methods[1].thresholds[0][0]));
  const ScoredSplit valid = split;
  SetThresholds(&valid, split);
  EXPECT_EQ(
      split.methods[1].thresholds[1][0],
      BestF1Threshold(split.ScoresOf(split.methods[1], NegativeSet::kTyped),
                      split.LabelsOf(NegativeSet::kTyped)));
}

TEST_F(EvaluationTest, TheReportHoldsWhatTheScoresSay) {
  std::set<Link> positives;
  for (const LabelledLink& row : rows_) {
    if (row.positive) positives.insert(row.link);
  }
  // Right about the first question and wrong about the second.
  const FunctionScorer scorer([&](const Link& link, const std::set<NodeId>&) {
    return positives.contains(link) ? 2.0f : -2.0f;
  });
  ScoredSplit split = ScoreOrDie(scorer);
  OutputReading reading;
  reading.calibrations = CalibrateQuestions(split);
  SetThresholds(&split, split);
  ReadAnswers(reading, split);
  TrainingReport report;
  FillTestReport(split, reading, *graph_, report);
  ASSERT_EQ(report.results.size(), 4u);
  EXPECT_EQ(report.results[0].rows[0].metrics.auroc, 1);
  EXPECT_EQ(report.results[0].rows[0].metrics.f1, 1);
  EXPECT_EQ(report.results[1].rows[0].metrics.auroc, 0);
  EXPECT_EQ(report.results[2].rows[0].metrics.auroc, 0);
  EXPECT_EQ(report.Overall().auroc, 1);
  for (const GroupTable& table : report.groups) {
    uint64_t pairs = 0;
    for (const GroupResult& row : table.rows) {
      pairs += row.published.positives + row.published.negatives;
    }
    EXPECT_EQ(pairs, rows_.size()) << table.key;
  }
  ASSERT_EQ(report.calibrations.size(), 2u);
  uint64_t rows = 0;
  for (const RelationCalibration& one : report.calibrations[0].relations) {
    rows += one.figures.rows;
  }
  EXPECT_EQ(rows, rows_.size());
}

TEST_F(EvaluationTest, EvidenceThatDecidesIsFoundFaithful) {
  // The answer turns on whether any node lies between the ends. (The ends have
  // the id -1 without embeddings, so the function does not look at them.)
  const FunctionScorer scorer(
      [](const Link&, const std::set<NodeId>& nodes) {
        return nodes.contains(1) ? 4.0f : -4.0f;
      },
      1);
  std::vector<Link> links;
  for (const LabelledLink& row : rows_) links.push_back(row.link);
  const auto measured =
      MeasureFidelity(Model(scorer), OutputReading(), links, {60, 1});
  ASSERT_TRUE(measured.ok()) << measured.status();
  // Where node 1 is in no context, nothing changes the answer.
  EXPECT_EQ(measured->links + measured->without_reason, 60u);
  ASSERT_GT(measured->links, 0u);
  ASSERT_GT(measured->without_reason, 0u);
  EXPECT_GT(measured->named.without, 0.9);
  EXPECT_GT(measured->named.without, measured->random.without);
  EXPECT_LT(measured->named.only, measured->random.only);
  EXPECT_LT(measured->explained, measured->items);
}

TEST(ExplanationsTest, OfSeveralContextsTheFirstOneIsKept) {
  std::vector<SemanticAssociationMatrix> attention;
  for (int row = 0; row < 7; ++row) {
    attention.push_back({1, 1, 1, {static_cast<float>(row)}});
  }
  const std::vector<int64_t> row_link = {0, 0, 1, 2, 2, 2, 3};
  KeepFirstContexts(row_link, attention);
  std::vector<float> kept;
  for (const auto& one : attention) kept.push_back(one.weights[0]);
  EXPECT_THAT(kept, ElementsAre(0, 2, 3, 6));
}

TEST_F(EvaluationTest, AnExampleHasTheProbabilityOfTheReading) {
  const FunctionScorer scorer(ByHash);
  OutputReading reading;
  reading.scorer = Scorer::kStructural;
  reading.calibrations[0].temperature = 3;
  const Link& link = rows_[0].link;
  const auto example = ShowExample(Model(scorer), reading, link, "a link");
  ASSERT_TRUE(example.ok()) << example.status();
  const float logit = ByHash(link, {}) / 2 + 1;  // the structural one
  EXPECT_THAT(example->remark,
              StartsWith(absl::StrFormat("a link, probability %.3f, ",
                                         1 / (1 + std::exp(-logit / 3)))));
}

TEST_F(EvaluationTest, NotableLinksAreTheExtremes) {
  const FunctionScorer scorer(ByHash);
  ScoredSplit split = ScoreOrDie(scorer);
  ReadAnswers(OutputReading(), split);
  const auto notable = FindNotableLinks(split);
  ASSERT_EQ(notable.size(), 3u);
  for (size_t i = 0; i < split.links.published; ++i) {
    if (split.distances[i] < 0) continue;
    const float logit = ByHash(split.links.links[i], {});
    if (split.links.labels[i]) {
      EXPECT_LE(logit, ByHash(notable[0].link, {}));
      EXPECT_GE(logit, ByHash(notable[2].link, {}));
    } else {
      EXPECT_LE(logit, ByHash(notable[1].link, {}));
    }
  }
}

TEST_F(EvaluationTest, RanksAreThoseOfAWholeScan) {
  const FunctionScorer scorer(ByHash);
  ModelEvaluation evaluation;
  evaluation.model = Model(scorer);
  evaluation.test = rows_;
  evaluation.threads = 2;
  // All positives and all candidates, so that no choice matters.
  const auto table =
      RankTestLinks(evaluation, {rows_.size(), graph_->node_count()});
  ASSERT_TRUE(table.ok()) << table.status();
  // This scorer ranks all candidates alike at first. Then it adds its logit of
  // the context, and takes away its structural one.
  const auto score = [](const Link& link) {
    return -ByHash(link, {}) - 0.5f * link.target;
  };
  RankingMetrics expected;
  const KnownLinks known = Known();
  for (const LabelledLink& row : rows_) {
    if (!row.positive) continue;
    for (const bool asks_for_target : {true, false}) {
      double better = 0, equal = 0;
      for (NodeId node = 0; node < graph_->node_count(); ++node) {
        Link other = row.link;
        (asks_for_target ? other.target : other.source) = node;
        if (other == row.link || graph_->HasLink(other) ||
            known.Contains(other)) {
          continue;
        }
        better += score(other) > score(row.link);
        equal += score(other) == score(row.link);
      }
      expected.Add(1 + better + equal / 2);
    }
  }
  EXPECT_EQ(table->rows[0].key, "context");
  EXPECT_EQ(table->rows[0].figures.targets, expected.count());
  EXPECT_NEAR(table->rows[0].figures.mrr, expected.MeanReciprocalRank(), 1e-9);
  EXPECT_EQ(table->rows[0].figures.hits_3, expected.HitsAt(3));
}

TEST(MostAttendedTest, TheEndsAreLeftOut) {
  SemanticAssociationMatrix attention{1, 1, 4, {}};
  for (int row = 0; row < 4; ++row) {
    for (const float weight : {0.4f, 0.3f, 0.1f, 0.2f}) {
      attention.weights.push_back(weight);
    }
  }
  EXPECT_THAT(MostAttended(attention, 1), ElementsAre(3));
  EXPECT_THAT(MostAttended(attention, 9), ElementsAre(3, 2));
}

}  // namespace
}  // namespace slice
