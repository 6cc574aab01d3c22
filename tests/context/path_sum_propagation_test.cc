#include "context/path_sum_propagation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "context/path_evidence.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr size_t kAll = 1000000;

void ExpectNear(double value, double expected, const std::string& what) {
  EXPECT_NEAR(value, expected, 1e-4 * std::max(1.0, std::abs(expected)))
      << what;
}

void ExpectNear(const TwoPathSums& sums, const TwoPathSums& expected,
                const std::string& what) {
  ExpectNear(sums.count, expected.count, what + ".count");
  ExpectNear(sums.weight, expected.weight, what + ".weight");
}

void ExpectNear(const ThreePathSums& sums, const ThreePathSums& expected,
                const std::string& what) {
  ExpectNear(sums.count, expected.count, what + ".count");
  ExpectNear(sums.root_weight, expected.root_weight, what + ".root_weight");
  ExpectNear(sums.weight, expected.weight, what + ".weight");
}

void ExpectNear(const PathSums& sums, const PathSums& expected,
                const std::string& what) {
  const CommonNeighborSums &a = sums.common, &b = expected.common;
  ExpectNear(a.all, b.all, what + ": common");
  ExpectNear(a.adamic_adar, b.adamic_adar, what + ": Adamic-Adar");
  ExpectNear(a.first_relation, b.first_relation, what + ": common first");
  ExpectNear(a.last_relation, b.last_relation, what + ": common last");
  ExpectNear(a.alike, b.alike, what + ": common alike");
  const ThreePathEvidence &c = sums.three, &d = expected.three;
  ExpectNear(c.all, d.all, what + ": three");
  ExpectNear(c.first_relation, d.first_relation, what + ": three first");
  ExpectNear(c.last_relation, d.last_relation, what + ": three last");
  ExpectNear(c.both_relations, d.both_relations, what + ": three both");
  ExpectNear(c.there_and_back, d.there_and_back, what + ": there and back");
  ExpectNear(c.first_relation_alike, d.first_relation_alike,
             what + ": three first alike");
  ExpectNear(c.last_relation_alike, d.last_relation_alike,
             what + ": three last alike");
}

// The sums of one link with its pair hidden and without sampling.
PathSums OneByOne(const GraphSnapshot& graph, const Link& link) {
  GraphView view(graph);
  view.HidePair(link.source, link.target);
  PathEvidence evidence;
  evidence.Open(view, link, {kAll, kAll, kAll});
  return evidence.Sum();
}

TEST(PathSumPropagation, EqualsTheSumsOfEveryLinkWithItsPairHidden) {
  RandomMultigraphOptions options;
  options.parallel_rate = 0.3;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const auto graph = BuildSnapshotOrDie(RandomMultigraph(options, seed));
    const PropagationGraph tables(*graph);
    PathSumPropagation propagation(tables);
    for (NodeId anchor = 0; anchor < graph->node_count(); anchor += 3) {
      for (RelationId relation = 0; relation < 2; ++relation) {
        for (const Direction direction : {Direction::kOut, Direction::kIn}) {
          const EndQuestion question{anchor, relation, direction};
          propagation.Run(question);
          for (NodeId node = 0; node < graph->node_count(); ++node) {
            ExpectNear(
                propagation.At(node), OneByOne(*graph, question.With(node)),
                "seed " + std::to_string(seed) + " anchor " +
                    std::to_string(anchor) + " node " + std::to_string(node));
            if (HasFailure()) return;
          }
        }
      }
    }
  }
}

TEST(PathSumPropagation, ReachesExactlyWhatHasAPath) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.links = 50}, 4));
  const PropagationGraph tables(*graph);
  PathSumPropagation propagation(tables);
  int reached = 0, missed = 0;
  for (NodeId anchor = 0; anchor < graph->node_count(); ++anchor) {
    propagation.Run({anchor, 0, Direction::kOut});
    for (NodeId node = 0; node < graph->node_count(); ++node) {
      if (propagation.Reaches(node)) {
        ++reached;
        continue;
      }
      const PathSums sums = OneByOne(*graph, {anchor, 0, node});
      EXPECT_EQ(sums.common.all.count + sums.three.all.count, 0);
      ++missed;
    }
  }
  EXPECT_GT(reached, 0);
  EXPECT_GT(missed, 0);
}

}  // namespace
}  // namespace slice
