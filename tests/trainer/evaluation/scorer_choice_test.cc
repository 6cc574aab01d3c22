#include "trainer/evaluation/scorer_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Rows whose positives score higher by `gap` on average, beside noise that all
// scorers share and noise of their own.
class ScorerChoiceTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kRows = 1000;

  ScorerChoiceTest() {
    Random random(1);
    split_.links.published = kRows;
    split_.links.begin.fill(kRows);
    for (uint32_t i = 0; i < kRows; ++i) {
      split_.links.links.push_back({i, 0, i + 1});
      split_.links.labels.push_back(i % 2);
      split_.links.made_from.push_back(split_.links.links.back());
      shared_.push_back(random.Uniform());
    }
    // Each positive has a typed negative, made from it.
    for (uint32_t i = 1; i < kRows; i += 2) {
      split_.links.links.push_back({i, 0, i + 2});
      split_.links.labels.push_back(0);
      split_.links.made_from.push_back(split_.links.links[i]);
      shared_.push_back(random.Uniform());
    }
    for (size_t set = 2; set < split_.links.begin.size(); ++set) {
      split_.links.begin[set] = static_cast<uint32_t>(split_.links.size());
    }
  }

  void Add(Scorer scorer, double gap, double noise, uint64_t seed) {
    Random random(seed);
    MethodScores method;
    method.key = std::string(ScorerName(scorer));
    method.is_model = true;
    for (size_t i = 0; i < split_.links.size(); ++i) {
      const double score =
          gap * split_.links.labels[i] + shared_[i] + noise * random.Uniform();
      for (auto& scores : method.scores) {
        scores.push_back(static_cast<float>(score));
      }
    }
    split_.methods.push_back(std::move(method));
  }

  ScoredSplit split_;
  std::vector<double> shared_;
};

TEST_F(ScorerChoiceTest, TheBestWinsWhenItIsClearlyBetter) {
  Add(Scorer::kContext, 1.0, 0.1, 2);
  Add(Scorer::kEnds, 0.4, 0.1, 3);
  Add(Scorer::kStructural, 0.3, 0.1, 4);
  const ScorerChoice choice = ChooseScorer(split_, 1);
  EXPECT_EQ(choice.scorer, Scorer::kContext);
  EXPECT_THAT(choice.reason, HasSubstr("context is the best on valid"));
}

TEST_F(ScorerChoiceTest, OfEqualsTheCheapestWins) {
  Add(Scorer::kContext, 0.5, 0.02, 2);
  Add(Scorer::kEnds, 0.5, 0.02, 3);
  Add(Scorer::kStructural, 0.3, 0.02, 4);
  const ScorerChoice choice = ChooseScorer(split_, 1);
  EXPECT_EQ(choice.scorer, Scorer::kEnds);
}

TEST_F(ScorerChoiceTest, ScorersThatAnswerAlikeAreNamedAsEqual) {
  for (const Scorer scorer : {Scorer::kContext, Scorer::kStructural})
    Add(scorer, 0.5, 0, 2);
  const ScorerChoice choice = ChooseScorer(split_, 1);
  EXPECT_EQ(choice.scorer, Scorer::kStructural);
  EXPECT_THAT(choice.reason, HasSubstr("structural is the cheapest of those "
                                       "that are best on valid"));
}

TEST_F(ScorerChoiceTest, ACheaperBestNeedsNoComparison) {
  Add(Scorer::kContext, 0.3, 0.02, 2);
  Add(Scorer::kStructural, 0.6, 0.02, 4);
  const ScorerChoice choice = ChooseScorer(split_, 1);
  EXPECT_EQ(choice.scorer, Scorer::kStructural);
  EXPECT_THAT(choice.reason, HasSubstr("structural is the best on valid"));
}

TEST_F(ScorerChoiceTest, ASmallButSteadyDifferenceCounts) {
  // Both scorers have the same noise, so the difference is the same in each
  // draw: a paired comparison sees it.
  Add(Scorer::kContext, 0.53, 0, 2);
  Add(Scorer::kStructural, 0.50, 0, 2);
  EXPECT_EQ(ChooseScorer(split_, 1).scorer, Scorer::kContext);
}

TEST_F(ScorerChoiceTest, ATinyGainIsNotWorthItsCostHoweverSteady) {
  Add(Scorer::kContext, 0.505, 0, 2);  // 2 % fewer errors
  Add(Scorer::kStructural, 0.50, 0, 2);
  EXPECT_EQ(ChooseScorer(split_, 1).scorer, Scorer::kStructural);
}

TEST_F(ScorerChoiceTest, AloneAScorerIsChosen) {
  Add(Scorer::kStructural, 0.5, 0.1, 2);
  const ScorerChoice choice = ChooseScorer(split_, 1);
  EXPECT_EQ(choice.scorer, Scorer::kStructural);
  EXPECT_THAT(choice.reason, HasSubstr("only scorer"));
}

TEST_F(ScorerChoiceTest, PuttingAScorerFirstKeepsTheOrderOfTheOthers) {
  Add(Scorer::kContext, 0.5, 0.1, 2);
  Add(Scorer::kEnds, 0.5, 0.1, 3);
  Add(Scorer::kStructural, 0.5, 0.1, 4);
  PutFirst(Scorer::kStructural, split_);
  EXPECT_EQ(split_.methods[0].key, "structural");
  EXPECT_EQ(split_.methods[1].key, "context");
  EXPECT_EQ(split_.methods[2].key, "ends");
}

}  // namespace
}  // namespace slice
