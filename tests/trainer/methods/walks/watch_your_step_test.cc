#include "trainer/methods/walks/watch_your_step.h"

#include <cmath>
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

TEST_F(WatchYourStepTest, ThreadsChangeNothing) {
  const auto one = Train({"epochs=3"});
  threads_ = 3;
  const auto three = Train({"epochs=3"});
  EXPECT_EQ(Score(*one, 1, 2), Score(*three, 1, 2));
  EXPECT_EQ(Score(*one, 7, 30), Score(*three, 7, 30));
}

TEST_F(WatchYourStepTest, ANodeWithoutLinksGetsAScore) {
  EXPECT_TRUE(std::isfinite(Score(*Train(), kAlone, 3)));
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
