#include "model/prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slice {
namespace {

TEST(PredictionTest, IsReadFromTheLogitsOfTheScorerThatAnswers) {
  OutputReading reading;
  reading.scorer = Scorer::kEnds;
  reading.calibrations[0] = {.temperature = 2, .threshold = 0.6};
  reading.calibrations[1] = {.temperature = 4, .threshold = 0.5};
  Prediction prediction;
  prediction.logits = {{{9, 9}, {1.5f, -2}, {0.5f, 9}}};
  prediction.Read(reading);
  EXPECT_FLOAT_EQ(prediction.logit, 1.5f);
  EXPECT_FLOAT_EQ(prediction.logit_structural, 0.5f);
  EXPECT_FLOAT_EQ(prediction.logit_context, 1);
  EXPECT_FLOAT_EQ(prediction.probability, 1 / (1 + std::exp(-0.75f)));
  EXPECT_TRUE(prediction.decision);
  EXPECT_FLOAT_EQ(prediction.probability_among_kind, 1 / (1 + std::exp(0.5f)));
}

// Each question gets its own logit, whichever scorer answers.
TEST(PredictionTest, AKnowledgeGraphEmbeddingAddsToEveryScorer) {
  Prediction prediction;
  prediction.logits = {{{4, 3}, {2, 1}, {0.5f, 7}}};
  prediction.AddToLogits({0.25f, -1});
  OutputReading reading;
  reading.scorer = Scorer::kEnds;
  prediction.Read(reading);
  EXPECT_FLOAT_EQ(prediction.logit, 2.25f);
  EXPECT_FLOAT_EQ(prediction.logit_structural, 0.5f);
  EXPECT_FLOAT_EQ(prediction.logit_context, 1.5f);
  EXPECT_FLOAT_EQ(prediction.logit_knowledge, 0.25f);
  EXPECT_FLOAT_EQ(prediction.Logit(Scorer::kContext, Question::kAmongKind), 2);
  EXPECT_FLOAT_EQ(prediction.Logit(Scorer::kStructural, Question::kAmongKind),
                  6);
}

// The probability that the reading gives a logit of relation 1.
Prediction ReadOf(const OutputReading& reading, float logit, LinkFlags flags) {
  Prediction prediction;
  prediction.logits.fill({logit, logit});
  prediction.relation = 1;
  prediction.flags = flags;
  prediction.Read(reading);
  return prediction;
}

OutputReading ByRelation() {
  RelationReadings relations;
  const Calibration one = {.temperature = 2,
                           .threshold = 0.8,
                           .offset = -1,
                           .base_rate = 0.25,
                           .rows = 50};
  relations.calibrations = {std::vector<Calibration>{{}, one},
                            std::vector<Calibration>{{}, one}};
  relations.schema = {{}, {.self = -6, .off_schema = -9}};
  OutputReading reading;
  reading.relations =
      std::make_shared<const RelationReadings>(std::move(relations));
  return reading;
}

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(PredictionTest, ARelationHasACalibrationOfItsOwn) {
  const Prediction prediction = ReadOf(ByRelation(), 4, {});
  EXPECT_FLOAT_EQ(prediction.probability, Sigmoid(4 / 2.0 - 1));
  EXPECT_FALSE(prediction.decision);  // its threshold is 0.8
  EXPECT_FLOAT_EQ(prediction.probability_among_kind, Sigmoid(1));
  EXPECT_EQ(prediction.schema_log_odds, 0);
}

TEST(PredictionTest, ImpossiblePairsLoseTheLogOddsOfTheirFlag) {
  const Prediction self = ReadOf(ByRelation(), 4, {.self = true});
  EXPECT_FLOAT_EQ(self.schema_log_odds, -6);
  EXPECT_FLOAT_EQ(self.probability, Sigmoid(1 - 6));
  EXPECT_FLOAT_EQ(self.probability_among_kind, Sigmoid(1 - 6));
  EXPECT_EQ(self.logit, 4);  // what the network said stays
  const Prediction both =
      ReadOf(ByRelation(), 4, {.self = true, .off_schema_target = true});
  EXPECT_FLOAT_EQ(both.schema_log_odds, -9);
}

TEST(PredictionTest, APriorMovesTheFirstAnswerByItsOdds) {
  OutputReading reading = ByRelation();
  reading.prior = 0.01;
  const Prediction prediction = ReadOf(reading, 4, {});
  EXPECT_FLOAT_EQ(prediction.probability,
                  Sigmoid(1 + LogOdds(0.01) - LogOdds(0.25)));
  EXPECT_FLOAT_EQ(prediction.probability_among_kind, Sigmoid(1));
  reading.prior = 0.25;  // the share in valid
  EXPECT_FLOAT_EQ(ReadOf(reading, 4, {}).probability, Sigmoid(1));
}

TEST(PredictionTest, OutputsAreNamedByScorerThenQuestion) {
  EXPECT_EQ(
      OutputNames(),
      (std::vector<std::string>{
          "context.plausible", "context.among_kind", "ends.plausible",
          "ends.among_kind", "structural.plausible", "structural.among_kind"}));
}

TEST(ScorerTest, NamesAreParsedAndOthersRefused) {
  for (const Scorer scorer :
       {Scorer::kContext, Scorer::kEnds, Scorer::kStructural}) {
    EXPECT_EQ(*ParseScorer(ScorerName(scorer)), scorer);
  }
  EXPECT_EQ(ParseScorer("best").status().message(),
            "unknown scorer 'best'; scorers are context, ends and structural");
}

}  // namespace
}  // namespace slice
