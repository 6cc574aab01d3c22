#include "trainer/methods/walks/walk_method.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Is best after its second epoch.
class FadingLearner final : public EpochLearner {
 public:
  absl::StatusOr<double> RunEpoch(int epoch, std::string*) override {
    epoch_ = epoch;
    return 1;
  }
  absl::StatusOr<double> MeasureValid() override {
    measured_.push_back(epoch_);
    return -std::abs(epoch_ - 2);
  }
  void Keep() override {}
  void Restore() override {}

  const std::vector<int>& measured() const { return measured_; }

 private:
  int epoch_ = 0;
  std::vector<int> measured_;
};

TEST(WalkMethodTest, EpochsRunAsTheParametersSay) {
  const std::vector<std::string> settings = {"look_every=2", "patience=3"};
  const auto parameters =
      ParameterValues::Parse(WalkEpochParameters({.epochs = 20}), settings);
  const std::vector<LabelledLink> valid(1);
  MethodInput input;
  input.valid = valid;
  FadingLearner learner;
  const auto summary = RunWalkEpochs(input, *parameters,
                                     absl::InfiniteDuration(), "it", learner);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->best_epoch, 2);
  EXPECT_THAT(learner.measured(), ElementsAre(2, 4, 6, 8));
}

TEST(WalkMethodTest, TheBudgetEndsTheEpochs) {
  const auto parameters = ParameterValues::Parse(WalkEpochParameters({}), {});
  FadingLearner learner;
  const auto summary = RunWalkEpochs(MethodInput(), *parameters,
                                     absl::ZeroDuration(), "it", learner);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->epochs, 1);
  EXPECT_THAT(summary->stopped, HasSubstr("budget"));
}

TEST(WalkMethodTest, RandomTablesFillTheirRange) {
  const std::vector<float> table = RandomTable(1000, 0.5, 1);
  const auto [least, most] = std::minmax_element(table.begin(), table.end());
  EXPECT_GE(*least, -0.5f);
  EXPECT_LT(*least, -0.48f);
  EXPECT_LE(*most, 0.5f);
  EXPECT_GT(*most, 0.48f);
  EXPECT_EQ(RandomTable(1000, 0.5, 1), table);
  EXPECT_NE(RandomTable(1000, 0.5, 2), table);
}

TEST(WalkMethodTest, NoiseTypesAreThoseOfTheNodes) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 30, .links = 60, .node_types = 3}, 1));
  const std::vector<uint32_t> types = NoiseTypes(*snapshot);
  ASSERT_EQ(types.size(), snapshot->node_count());
  for (NodeId node = 0; node < types.size(); ++node) {
    EXPECT_EQ(types[node], snapshot->Type(node));
  }
}

}  // namespace
}  // namespace slice
