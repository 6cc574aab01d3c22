#include "trainer/gate/gate_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "common/random.h"

namespace slice {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// How much higher the positives of each bundle score, in units of the noise.
struct Gaps {
  double current = 1, candidate = 1;
};

// Adds `count` positives of one relation and as many non-links. Both bundles
// see the same noise and some of their own.
void AddLinks(RelationId relation, uint32_t count, Gaps gaps, Random& random,
              std::vector<GateAnswer>& answers) {
  for (uint32_t i = 0; i < count; ++i) {
    const auto row = static_cast<uint32_t>(answers.size());
    for (const bool positive : {true, false}) {
      const double shared = random.Uniform();
      const auto score = [&](double gap) {
        return static_cast<float>(gap * positive + shared +
                                  0.5 * random.Uniform());
      };
      answers.push_back({row, relation, positive, score(gaps.current),
                         score(gaps.candidate)});
    }
  }
}

const GateFigure* Find(const std::vector<GateFigure>& figures,
                       GateMeasure measure, std::optional<RelationId> of) {
  for (const GateFigure& figure : figures) {
    if (figure.measure == measure && figure.is_overall == !of &&
        (!of || figure.relation == *of)) {
      return &figure;
    }
  }
  return nullptr;
}

TEST(GateVerdictTest, AnEquallyGoodCandidatePasses) {
  Random random(1);
  std::vector<GateAnswer> links;
  AddLinks(0, 300, {0.5, 0.5}, random, links);
  const auto figures = CompareAnswers(links, {}, {});
  ASSERT_THAT(figures, SizeIs(1));
  EXPECT_FALSE(figures[0].is_worse);
  EXPECT_LT(figures[0].low, figures[0].difference);
  EXPECT_GT(figures[0].high, figures[0].difference);
}

TEST(GateVerdictTest, TheSameAnswersDifferByNothing) {
  Random random(2);
  std::vector<GateAnswer> links;
  AddLinks(0, 50, {0.5, 0.5}, random, links);
  for (GateAnswer& answer : links) answer.candidate = answer.current;
  const auto figures = CompareAnswers(links, links, {});
  ASSERT_THAT(figures, SizeIs(2));
  for (const GateFigure& figure : figures) {
    EXPECT_EQ(figure.difference, 0);
    EXPECT_EQ(figure.low, 0);
    EXPECT_EQ(figure.high, 0);
    EXPECT_EQ(figure.p, 1);
  }
}

TEST(GateVerdictTest, AWorseCandidateIsCaughtAndABetterOneIsNot) {
  for (const bool is_worse : {true, false}) {
    Random random(3);
    std::vector<GateAnswer> links;
    AddLinks(0, 300, is_worse ? Gaps{0.7, 0.4} : Gaps{0.4, 0.7}, random, links);
    const auto figures = CompareAnswers(links, {}, {});
    ASSERT_THAT(figures, SizeIs(1));
    EXPECT_EQ(figures[0].is_worse, is_worse);
    EXPECT_EQ(figures[0].high < 0, is_worse);
    EXPECT_EQ(figures[0].low > 0, !is_worse);
  }
}

// The relation is a twentieth of all links, so that overall nothing shows.
TEST(GateVerdictTest, OneRelationThatGotWorseIsCaught) {
  Random random(4);
  std::vector<GateAnswer> links;
  AddLinks(0, 1900, {0.6, 0.61}, random, links);
  AddLinks(1, 100, {0.9, 0.1}, random, links);
  AddLinks(2, 10, {0.9, 0.1}, random, links);
  const auto figures = CompareAnswers(links, {}, {});
  ASSERT_THAT(figures, SizeIs(3));  // relation 2 has too few links
  EXPECT_FALSE(Find(figures, GateMeasure::kAuroc, 0)->is_worse);
  EXPECT_TRUE(Find(figures, GateMeasure::kAuroc, 1)->is_worse);
  EXPECT_EQ(Find(figures, GateMeasure::kAuroc, 1)->links, 100u);
}

TEST(GateVerdictTest, AMarginForgivesASmallLoss) {
  Random random(5);
  std::vector<GateAnswer> links;
  AddLinks(0, 2000, {0.6, 0.55}, random, links);
  EXPECT_TRUE(CompareAnswers(links, {}, {})[0].is_worse);
  EXPECT_FALSE(CompareAnswers(links, {}, {.margin = 0.05})[0].is_worse);
}

// 150 comparisons of equals, with eleven groups each: without the correction a
// quarter of them would fail.
TEST(GateVerdictTest, FewEqualsFailHoweverManyRelationsThereAre) {
  int failed = 0, uncorrected = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    std::vector<GateAnswer> links;
    for (RelationId relation = 0; relation < 10; ++relation) {
      AddLinks(relation, 40, {0.5, 0.5}, random, links);
    }
    const auto figures = CompareAnswers(links, {}, {.seed = seed});
    bool any = false, any_below = false;
    for (const GateFigure& figure : figures) {
      any |= figure.is_worse;
      any_below |= figure.high < 0;
    }
    failed += any;
    uncorrected += any_below;
  }
  EXPECT_LE(failed, 7);  // 5 of 100
  EXPECT_GE(uncorrected, 20);
}

TEST(GateVerdictTest, ReciprocalRanksAreComparedByTheirMean) {
  std::vector<GateAnswer> ranks;
  for (uint32_t i = 0; i < 200; ++i) {
    ranks.push_back({i / 2, 0, true, 1.0f / (1 + i % 3), 1.0f / (2 + i % 3)});
  }
  const auto figures = CompareAnswers({}, ranks, {});
  ASSERT_THAT(figures, SizeIs(1));
  EXPECT_EQ(figures[0].measure, GateMeasure::kReciprocalRank);
  EXPECT_EQ(figures[0].links, 100u);
  EXPECT_NEAR(figures[0].current, (1 + 0.5 + 1.0 / 3) / 3, 0.01);
  EXPECT_TRUE(figures[0].is_worse);
}

TEST(GateVerdictTest, LinksThatTheCandidateCannotNameCountAsItsWorstAnswers) {
  Random random(6);
  std::vector<GateAnswer> links;
  AddLinks(0, 200, {0.6, 0.6}, random, links);
  for (uint32_t row = 0; row < 80; row += 2) {
    links[row].candidate = -std::numeric_limits<float>::infinity();
  }
  EXPECT_TRUE(CompareAnswers(links, {}, {})[0].is_worse);
}

TEST(GateVerdictTest, TooFewLinksGiveNoFigure) {
  Random random(7);
  std::vector<GateAnswer> links;
  AddLinks(0, 29, {0.9, 0.1}, random, links);
  EXPECT_THAT(CompareAnswers(links, {}, {}), IsEmpty());
}

}  // namespace
}  // namespace slice
