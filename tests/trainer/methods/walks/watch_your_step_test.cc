#include "trainer/methods/walks/watch_your_step.h"

#include <cstdio>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trainer/methods/walks/two_rings.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class WatchYourStepTest : public TwoRingsTest {
 protected:
  WatchYourStepTest()
      : TwoRingsTest(WatchYourStepMethod(),
                     {"dim=16", "window=4", "walks=10", "epochs=150",
                      "batch=10", "negatives=10"}) {}
};

TEST_F(WatchYourStepTest, LearnsWhoIsVisitedByWalks) {
  const auto method = Train();
  EXPECT_GT(ChordAuroc(*method), 0.95);
  EXPECT_LT(method->summary().loss.back().y, method->summary().loss.front().y);
}

// The nodes that a step reaches surely are the easiest to tell: without decay
// the attention goes to the first step.
TEST_F(WatchYourStepTest, AttentionIsLearntAndTold) {
  const std::string stopped = Train({"decay=0"})->summary().stopped;
  constexpr char kTold[] = "attention to the steps of a walk ";
  ASSERT_THAT(stopped, HasSubstr(kTold));
  double first = 0, last = 0;
  std::sscanf(stopped.substr(stopped.find(kTold) + sizeof(kTold) - 1).c_str(),
              "%lf %*f %*f %lf", &first, &last);
  EXPECT_GT(first, 0.3);
  EXPECT_GT(first, last);
}

// In batches so large that several threads have a share of them.
TEST_F(WatchYourStepTest, ThreadsChangeNothing) {
  snapshot_ = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 900, .links = 5000, .relations = 1}, 5));
  const std::vector<std::string> settings = {"epochs=3", "batch=700"};
  const auto one = Train(settings);
  threads_ = 3;
  const auto three = Train(settings);
  EXPECT_EQ(Score(*one, 1, 2), Score(*three, 1, 2));
  EXPECT_EQ(Score(*one, 7, 830), Score(*three, 7, 830));
}

TEST_F(WatchYourStepTest, AnotherSeedIsAnotherTraining) {
  const float score = Score(*Train({"epochs=3"}), 1, 2);
  EXPECT_EQ(Score(*Train({"epochs=3"}), 1, 2), score);
  seed_ = 2;
  EXPECT_NE(Score(*Train({"epochs=3"}), 1, 2), score);
}

TEST_F(WatchYourStepTest, ANodeWithoutLinksHasTheVectorsOfItsType) {
  ExpectMeanOfTheOthers(*Train());
}

TEST_F(WatchYourStepTest, AGraphWithoutLinksBetweenNodesIsRefused) {
  GraphData data = TwoRings();
  data.links.clear();
  EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
  data.links = {{3, 0, 3}, {5, 0, 5}};  // self loops, which no walk takes
  EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace slice
