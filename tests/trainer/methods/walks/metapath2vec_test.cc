#include "trainer/methods/walks/metapath2vec.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trainer/methods/walks/two_rings.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

class Metapath2vecTest : public TwoRingsTest {
 protected:
  Metapath2vecTest()
      : TwoRingsTest(Metapath2vecMethod(),
                     {"dim=16", "walk_length=20", "walks_per_node=40"}) {}
};

TEST_F(Metapath2vecTest, LearnsWhoIsNearOnWalks) {
  const auto method = Train();
  EXPECT_GT(ChordAuroc(*method), 0.95);
  EXPECT_EQ(method->summary().epochs, 40);
  EXPECT_EQ(method->summary().loss.size(), 40u);
}

// The report must not speak of epochs that the budget left out.
TEST_F(Metapath2vecTest, OnlyEpochsThatRanAreCounted) {
  budget_ = absl::Nanoseconds(1);
  const MethodSummary summary = Train()->summary();
  EXPECT_TRUE(IsSpentBudgetText(summary.stopped)) << summary.stopped;
  EXPECT_LT(summary.epochs, 40);
  EXPECT_EQ(summary.loss.size(), static_cast<size_t>(summary.epochs));
}

TEST_F(Metapath2vecTest, AGraphWithoutLinksBetweenNodesIsRefused) {
  GraphData data = TwoRings();
  data.links.clear();
  EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace slice
