#include "trainer/methods/walks/asp2vec.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/method_registry.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kRing = 20;
constexpr NodeId kAlone = 2 * kRing;  // has no link

NodeId At(uint32_t ring, uint32_t i) { return ring * kRing + i % kRing; }

// Two rings whose nodes also have links to the node after the next, but for
// every fifth, and a node without links. Of `types` node types, those of a ring
// take turns.
GraphData Rings(uint32_t types = 1) {
  GraphData data;
  for (uint32_t type = 0; type < types; ++type) {
    data.catalogue.node_types.push_back(absl::StrCat("type", type));
  }
  data.catalogue.relations = {"near"};
  for (uint32_t node = 0; node <= kAlone; ++node) {
    const std::string key = absl::StrCat("n", node);
    data.catalogue.nodes.push_back(
        {key, key, static_cast<NodeTypeId>(node % types)});
  }
  for (uint32_t ring = 0; ring < 2; ++ring) {
    for (uint32_t i = 0; i < kRing; ++i) {
      data.links.push_back({At(ring, i), 0, At(ring, i + 1)});
      if (i % 5 != 0) data.links.push_back({At(ring, i), 0, At(ring, i + 2)});
    }
  }
  return data;
}

class Asp2vecTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<const TrainedMethod>> TryTrain(
      const std::vector<std::string>& settings) {
    MethodInput input;
    input.snapshot = snapshot_.get();
    input.threads = threads_;
    input.seed = seed_;
    return info_.train(input,
                       *ParameterValues::Parse(info_.parameters, settings));
  }

  std::unique_ptr<const TrainedMethod> Train(
      std::vector<std::string> settings = {}) {
    settings.insert(settings.begin(), small_.begin(), small_.end());
    auto trained = TryTrain(settings);
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

  // How well the chords that were left out, which lie within a ring, are told
  // from chords that join the rings.
  static double ChordAuroc(const TrainedMethod& method) {
    std::vector<float> scores;
    std::vector<uint8_t> labels;
    for (uint32_t i = 0; i < kRing; i += 5) {
      scores.push_back(Score(method, At(0, i), At(0, i + 2)));
      labels.push_back(1);
      for (uint32_t other = 0; other < kRing; ++other) {
        scores.push_back(Score(method, At(0, i), At(1, other)));
        labels.push_back(0);
      }
    }
    return Auroc(scores, labels);
  }

  const MethodInfo info_ = Asp2vecMethod();
  const std::vector<std::string> small_ = {"dim=16",         "aspects=3",
                                           "walk_length=20", "epochs=30",
                                           "batch=10",       "warm_walks=2"};
  std::shared_ptr<const GraphSnapshot> snapshot_ = BuildSnapshotOrDie(Rings());
  int threads_ = 1;
  uint64_t seed_ = 1;
};

TEST_F(Asp2vecTest, LearnsWhoIsNearOnWalks) {
  const auto method = Train();
  EXPECT_GT(ChordAuroc(*method), 0.95);
  EXPECT_LT(method->summary().loss.back().y, method->summary().loss.front().y);
}

TEST_F(Asp2vecTest, LearnsFromRandomVectorsToo) {
  EXPECT_GT(ChordAuroc(*Train({"warm_walks=0", "epochs=60"})), 0.95);
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

TEST_F(Asp2vecTest, ANodeWithoutLinksGetsAScore) {
  EXPECT_TRUE(std::isfinite(Score(*Train(), kAlone, 3)));
}

TEST_F(Asp2vecTest, WithNodeTypesWalksFollowMetapaths) {
  snapshot_ = BuildSnapshotOrDie(Rings(2));
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
    GraphData data = Rings(types);
    data.links = {{3, 0, 3}, {4, 0, 4}};
    snapshot_ = BuildSnapshotOrDie(data);
    EXPECT_EQ(TryTrain({}).status().code(),
              absl::StatusCode::kFailedPrecondition);
    data.links.clear();
    snapshot_ = BuildSnapshotOrDie(data);
    EXPECT_EQ(TryTrain({}).status().code(),
              absl::StatusCode::kFailedPrecondition);
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
