#include "trainer/methods/walks/aspects/asp2vec.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trainer/methods/walks/two_rings.h"
#include "trainer/methods/method_registry.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class Asp2vecTest : public TwoRingsTest {
 protected:
  Asp2vecTest()
      : TwoRingsTest(Asp2vecMethod(),
                     {"dim=16", "aspects=3", "walk_length=20", "epochs=30",
                      "batch=10", "warm_walks=2"}) {}
};

TEST_F(Asp2vecTest, LearnsWhoIsNearOnWalks) {
  const auto method = Train();
  EXPECT_GT(ChordAuroc(*method), 0.95);
  EXPECT_LT(method->summary().loss.back().y, method->summary().loss.front().y);
}

TEST_F(Asp2vecTest, LearnsFromRandomVectorsToo) {
  EXPECT_GT(ChordAuroc(*Train({"warm_walks=0", "epochs=60"})), 0.95);
}

// The comparison must know that more time would change the result.
TEST_F(Asp2vecTest, AWarmStartThatTheBudgetCutShortIsTold) {
  budget_ = absl::Milliseconds(400);  // the walks take far more
  const std::string stopped =
      Train({"warm_walks=10000", "epochs=1"})->summary().stopped;
  EXPECT_TRUE(IsSpentBudgetText(stopped)) << stopped;
}

TEST_F(Asp2vecTest, ThreadsChangeNothing) {
  const auto one = Train({"epochs=3"});
  threads_ = 3;
  const auto three = Train({"epochs=3"});
  EXPECT_EQ(Score(*one, 1, 2), Score(*three, 1, 2));
  EXPECT_EQ(Score(*one, 7, 30), Score(*three, 7, 30));
}

TEST_F(Asp2vecTest, TheSeedDecidesTheResult) {
  const auto first = Train({"epochs=3"}), again = Train({"epochs=3"});
  EXPECT_EQ(Score(*first, 1, 2), Score(*again, 1, 2));
  seed_ = 2;
  EXPECT_NE(Score(*first, 1, 2), Score(*Train({"epochs=3"}), 1, 2));
}

TEST_F(Asp2vecTest, ANodeWithoutLinksHasTheVectorsOfItsType) {
  ExpectMeanOfTheOthers(*Train());
}

TEST_F(Asp2vecTest, WithNodeTypesWalksFollowMetapaths) {
  snapshot_ = BuildSnapshotOrDie(TwoRings(2));
  const std::string short_run = "epochs=3";
  const float by_default = Score(*Train({short_run}), 1, 2);
  EXPECT_EQ(by_default,
            Score(*Train({short_run, "walks_along=metapaths"}), 1, 2));
  EXPECT_NE(by_default, Score(*Train({short_run, "walks_along=links"}), 1, 2));
  EXPECT_NE(by_default,
            Score(*Train({short_run, "metapaths=type0-type1"}), 1, 2));
}

// A weight so large that the aspects do little but move apart changes the
// vectors.
TEST_F(Asp2vecTest, TheRegulariserIsPartOfTheTraining) {
  EXPECT_NE(Score(*Train({"epochs=3", "diversity=0"}), 1, 2),
            Score(*Train({"epochs=3", "diversity=100"}), 1, 2));
}

TEST_F(Asp2vecTest, MetapathsOfWalksAlongAnyLinkAreRefused) {
  for (const char* along : {"walks_along=auto", "walks_along=links"}) {
    const absl::Status status =
        TryTrain({along, "metapaths=near/^near"}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << along;
    EXPECT_THAT(std::string(status.message()), HasSubstr("near/^near"));
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("set walks_along=metapaths"));
  }
}

TEST_F(Asp2vecTest, AnUnknownMetapathIsRefused) {
  EXPECT_EQ(
      TryTrain({"walks_along=metapaths", "metapaths=far"}).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST_F(Asp2vecTest, AGraphOfSelfLoopsAloneIsRefused) {
  for (const uint32_t types : {1u, 2u}) {
    GraphData data = TwoRings(types);
    data.links = {{3, 0, 3}, {4, 0, 4}};
    EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
    data.links.clear();
    EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
  }
}

TEST_F(Asp2vecTest, TheMemoryOfAllAspectsIsCounted) {
  MethodInput input;
  input.snapshot = snapshot_.get();
  const auto mib = [&](const std::vector<std::string>& settings) {
    return info_.memory(input,
                        *ParameterValues::Parse(info_.parameters, settings));
  };
  const std::vector<std::string> one = {"aspects=1", "batch=1"},
                                 many = {"aspects=100", "batch=1"};
  // Values, squares and the kept state of 99 more vectors per node.
  const double more = 3.0 * 99 * 41 * 128 * sizeof(float) / (1 << 20);
  EXPECT_GT(mib(many), mib(one) + more * 0.999);
  EXPECT_EQ(TrainByMethod(info_, input,
                          *ParameterValues::Parse(info_.parameters, many),
                          mib(many) / 2)
                .status()
                .code(),
            absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace slice
