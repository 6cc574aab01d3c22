#include "model/prediction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
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
