// A graph whose missing links every method that walks must find.
#ifndef SLICE_TESTS_TRAINER_METHODS_WALKS_TWO_RINGS_H_
#define SLICE_TESTS_TRAINER_METHODS_WALKS_TWO_RINGS_H_

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/trainer/methods/walks/walk_method_fixture.h"
#include "trainer/metrics.h"

namespace slice {

inline constexpr uint32_t kRing = 20;        // nodes of a ring
inline constexpr NodeId kAlone = 2 * kRing;  // has no link

inline NodeId AtRing(uint32_t ring, uint32_t i) {
  return ring * kRing + i % kRing;
}

// Two rings and a node without links. Four in five nodes of a ring also have a
// link to the node after the next. The nodes take turns in `types` types.
inline GraphData TwoRings(uint32_t types = 1) {
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
      data.links.push_back({AtRing(ring, i), 0, AtRing(ring, i + 1)});
      if (i % 5 != 0) {
        data.links.push_back({AtRing(ring, i), 0, AtRing(ring, i + 2)});
      }
    }
  }
  return data;
}

class TwoRingsTest : public WalkMethodTest {
 protected:
  TwoRingsTest(MethodInfo info, std::vector<std::string> small)
      : WalkMethodTest(std::move(info), std::move(small), TwoRings()) {}

  static float Score(const TrainedMethod& method, NodeId source,
                     NodeId target) {
    return WalkMethodTest::Score(method, {source, 0, target});
  }

  // A node without links has the mean vectors of those of its type that have
  // one. The score is linear in the vectors of a node, so it is a mean as well.
  static void ExpectMeanOfTheOthers(const TrainedMethod& method) {
    for (const NodeId target : {3u, 25u}) {
      double mean = 0;
      for (NodeId node = 0; node < kAlone; ++node) {
        mean += Score(method, node, target) / double{kAlone};
      }
      EXPECT_NEAR(Score(method, kAlone, target), mean,
                  1e-4 * (1 + std::abs(mean)));
    }
  }

  // The missing links within a ring against pairs that join the rings.
  static double ChordAuroc(const TrainedMethod& method) {
    std::vector<float> scores;
    std::vector<uint8_t> labels;
    for (uint32_t i = 0; i < kRing; i += 5) {
      scores.push_back(Score(method, AtRing(0, i), AtRing(0, i + 2)));
      labels.push_back(1);
      for (uint32_t other = 0; other < kRing; ++other) {
        scores.push_back(Score(method, AtRing(0, i), AtRing(1, other)));
        labels.push_back(0);
      }
    }
    return Auroc(scores, labels);
  }
};

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_METHODS_WALKS_TWO_RINGS_H_
