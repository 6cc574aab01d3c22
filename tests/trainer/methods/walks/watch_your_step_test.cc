#include "trainer/methods/walks/watch_your_step.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kRing = 20;
constexpr NodeId kAlone = 2 * kRing;  // has no link

// Two rings whose nodes also have links to the node after the next, but for
// every fifth, and a node without links.
GraphData Rings() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"near"};
  for (uint32_t node = 0; node <= kAlone; ++node) {
    const std::string key = absl::StrCat("n", node);
    data.catalogue.nodes.push_back({key, key, 0});
  }
  for (uint32_t ring = 0; ring < 2; ++ring) {
    for (uint32_t i = 0; i < kRing; ++i) {
      const auto at = [&](uint32_t j) { return ring * kRing + j % kRing; };
      data.links.push_back({at(i), 0, at(i + 1)});
      if (i % 5 != 0) data.links.push_back({at(i), 0, at(i + 2)});
    }
  }
  return data;
}

class WatchYourStepTest : public ::testing::Test {
 protected:
  std::unique_ptr<const TrainedMethod> Train(
      const std::vector<std::string>& settings, int threads = 1) {
    MethodInput input;
    input.snapshot = snapshot_.get();
    input.threads = threads;
    const MethodInfo info = WatchYourStepMethod();
    auto trained =
        info.train(input, *ParameterValues::Parse(info.parameters, settings));
    EXPECT_TRUE(trained.ok()) << trained.status();
    return *std::move(trained);
  }

  static float Score(const TrainedMethod& method, NodeId source,
                     NodeId target) {
    const std::vector<Link> link = {{source, 0, target}};
    std::vector<float> score(1);
    method.Score(link, link, score);
    return score[0];
  }

  const std::shared_ptr<const GraphSnapshot> snapshot_ =
      BuildSnapshotOrDie(Rings());
  const std::vector<std::string> small_ = {"dim=16",   "window=4",
                                           "walks=10", "epochs=150",
                                           "batch=10", "negatives=10"};
};

// The chords that were left out lie within a ring; the others join the rings.
TEST_F(WatchYourStepTest, LearnsWhoIsVisitedByWalks) {
  const auto method = Train(small_);
  std::vector<float> scores;
  std::vector<uint8_t> labels;
  for (uint32_t i = 0; i < kRing; i += 5) {
    scores.push_back(Score(*method, i, (i + 2) % kRing));
    labels.push_back(1);
    for (uint32_t other = 0; other < kRing; ++other) {
      scores.push_back(Score(*method, i, kRing + other));
      labels.push_back(0);
    }
  }
  EXPECT_GT(Auroc(scores, labels), 0.95);
  EXPECT_LT(method->summary().loss.back().y, method->summary().loss.front().y);
}

// The nodes that a step reaches surely are the easiest to tell: without decay
// the attention goes to the first step.
TEST_F(WatchYourStepTest, AttentionIsLearntAndTold) {
  std::vector<std::string> settings = small_;
  settings.push_back("decay=0");
  const std::string stopped = Train(settings)->summary().stopped;
  constexpr char kTold[] = "attention to the steps of a walk ";
  ASSERT_THAT(stopped, HasSubstr(kTold));
  double first = 0, last = 0;
  std::sscanf(stopped.substr(stopped.find(kTold) + sizeof(kTold) - 1).c_str(),
              "%lf %*f %*f %lf", &first, &last);
  EXPECT_GT(first, 0.3);
  EXPECT_GT(first, last);
}

TEST_F(WatchYourStepTest, ThreadsChangeNothing) {
  std::vector<std::string> settings = small_;
  settings.push_back("epochs=3");
  const auto one = Train(settings, 1), three = Train(settings, 3);
  EXPECT_EQ(Score(*one, 1, 2), Score(*three, 1, 2));
  EXPECT_EQ(Score(*one, 7, 30), Score(*three, 7, 30));
}

TEST_F(WatchYourStepTest, ANodeWithoutLinksGetsAScore) {
  EXPECT_TRUE(std::isfinite(Score(*Train(small_), kAlone, 3)));
}

absl::StatusCode CodeOfTraining(const GraphData& data) {
  const auto snapshot = BuildSnapshotOrDie(data);
  MethodInput input;
  input.snapshot = snapshot.get();
  const MethodInfo info = WatchYourStepMethod();
  return info.train(input, *ParameterValues::Parse(info.parameters, {}))
      .status()
      .code();
}

TEST(WatchYourStep, AGraphWithoutLinksBetweenNodesIsRefused) {
  GraphData data = Rings();
  data.links.clear();
  EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
  data.links = {{3, 0, 3}, {5, 0, 5}};  // self loops, which no walk takes
  EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace slice
