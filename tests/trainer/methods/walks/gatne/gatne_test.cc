#include "trainer/methods/walks/gatne/gatne.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trainer/methods/walks/walk_method_fixture.h"
#include "trainer/methods/method_registry.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kGroup = 8;  // nodes of a group
constexpr uint32_t kGroups = 4;
constexpr NodeId kAlone = kGroup * kGroups;  // has no link
constexpr NodeId kAloneToo = kAlone + 1;

// The relation "row" links nodes of one group, but for every seventh pair. The
// relation "column" links nodes with the same place in their groups.
GraphData Grid() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"row", "column"};
  for (NodeId node = 0; node <= kAloneToo; ++node) {
    const std::string key = absl::StrCat("n", node);
    data.catalogue.nodes.push_back({key, key, 0});
  }
  int pairs = 0;
  for (NodeId u = 0; u < kAlone; ++u) {
    for (NodeId v = u + 1; v < kAlone; ++v) {
      if (u / kGroup == v / kGroup && ++pairs % 7 != 0) {
        data.links.push_back({u, 0, v});
      }
      if (u % kGroup == v % kGroup) data.links.push_back({u, 1, v});
    }
  }
  return data;
}

class GatneTest : public WalkMethodTest {
 protected:
  GatneTest()
      : WalkMethodTest(
            GatneMethod(),
            {"dim=16", "edge_dim=8", "attention=4", "batch=16", "epochs=60"},
            Grid()) {}

  // How well `relation` tells its own pairs from those of the other relation.
  static double AurocOf(const TrainedMethod& method, RelationId relation) {
    std::vector<float> scores;
    std::vector<uint8_t> labels;
    for (NodeId u = 0; u < kAlone; ++u) {
      for (NodeId v = u + 1; v < kAlone; ++v) {
        const bool row = u / kGroup == v / kGroup;
        if (!row && u % kGroup != v % kGroup) continue;
        scores.push_back(Score(method, {u, relation, v}));
        labels.push_back(row == (relation == 0) ? 1 : 0);
      }
    }
    return Auroc(scores, labels);
  }
};

// Both relations share the vectors b and c of their nodes: only edge vectors
// and attention can tell them apart.
TEST_F(GatneTest, LearnsEachRelation) {
  for (const char* score : {"score=input_output", "score=cosine"}) {
    const auto method = Train({score});
    EXPECT_GT(AurocOf(*method, 0), 0.95) << score;
    EXPECT_GT(AurocOf(*method, 1), 0.95) << score;
    EXPECT_LT(method->summary().loss.back().y,
              method->summary().loss.front().y);
  }
}

TEST_F(GatneTest, WithoutEdgeVectorsRelationsAreAlike) {
  const auto method = Train({"alpha=0", "epochs=3"});
  EXPECT_EQ(Score(*method, {1, 0, 2}), Score(*method, {1, 1, 2}));
}

TEST_F(GatneTest, ThreadsChangeNothing) {
  const auto one = Train({"epochs=3"});
  threads_ = 3;
  const auto three = Train({"epochs=3"});
  EXPECT_EQ(Score(*one, {1, 0, 2}), Score(*three, {1, 0, 2}));
  EXPECT_EQ(Score(*one, {7, 1, 30}), Score(*three, {7, 1, 30}));
}

TEST_F(GatneTest, TheSeedDecidesTheResult) {
  const auto first = Train({"epochs=3"}), again = Train({"epochs=3"});
  EXPECT_EQ(Score(*first, {1, 0, 2}), Score(*again, {1, 0, 2}));
  seed_ = 2;
  EXPECT_NE(Score(*first, {1, 0, 2}), Score(*Train({"epochs=3"}), {1, 0, 2}));
}

TEST_F(GatneTest, TheDirectionOfLinksChangesNothing) {
  const float before = Score(*Train({"epochs=3"}), {1, 0, 2});
  GraphData data = Grid();
  for (Link& link : data.links) std::swap(link.source, link.target);
  snapshot_ = BuildSnapshotOrDie(data);
  EXPECT_EQ(Score(*Train({"epochs=3"}), {1, 0, 2}), before);
}

// They have the mean vectors of their type, and not the random ones that
// training started from.
TEST_F(GatneTest, NodesWithoutLinksAreAlike) {
  for (const char* score : {"score=input_output", "score=cosine"}) {
    const auto method = Train({score, "epochs=3"});
    const float one = Score(*method, {kAlone, 0, 3});
    EXPECT_TRUE(std::isfinite(one));
    EXPECT_NE(one, Score(*method, {4, 0, 3}));
    EXPECT_EQ(one, Score(*method, {kAloneToo, 0, 3})) << score;
  }
}

TEST_F(GatneTest, GraphsWithoutLinksBetweenNodesAreRefused) {
  GraphData data = Grid();
  for (const std::vector<Link>& links :
       {std::vector<Link>(), std::vector<Link>{{1, 0, 1}, {2, 1, 2}}}) {
    data.links = links;
    EXPECT_EQ(CodeOfTraining(data), absl::StatusCode::kFailedPrecondition);
  }
}

TEST_F(GatneTest, TooLittleMemoryIsRefusedBeforeTheTraining) {
  MethodInput input;
  input.snapshot = snapshot_.get();
  const auto mib = [&](const std::vector<std::string>& settings) {
    return info_.memory(input,
                        *ParameterValues::Parse(info_.parameters, settings));
  };
  const std::vector<std::string> narrow = {"dim=1", "batch=1"},
                                 wide = {"dim=4096", "batch=1"};
  MethodInput unranked = input;
  unranked.ranks = false;
  // Tables of candidates are made for a ranking alone.
  EXPECT_LT(
      info_.memory(unranked, *ParameterValues::Parse(info_.parameters, narrow)),
      mib(narrow));
  // Values, squares, the kept state and a copy of two vectors per node.
  const double more = 4.0 * 2 * 34 * 4095 * sizeof(float) / (1 << 20);
  EXPECT_GT(mib(wide), mib(narrow) + more);
  const absl::Status status =
      TrainByMethod(info_, input,
                    *ParameterValues::Parse(info_.parameters, wide),
                    mib(wide) / 2)
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("gatne-t"));
}

}  // namespace
}  // namespace slice
