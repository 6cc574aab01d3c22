#include "context/path_counter.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "common/random.h"
#include "tests/testing/brute_path_count.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

TEST(PathCounter, CountsEveryPathOfEveryType) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const auto graph =
        BuildSnapshotOrDie(RandomMultigraph({.parallel_rate = 0.3}, seed));
    const auto nodes = static_cast<NodeId>(graph->node_count());
    const std::set<Link> links = LinkSet(*graph);
    PathCounter counter(*graph);
    Random random(seed);
    const auto step = [&] {
      return (random.Uniform() < 0.5 ? 1 : -1) *
             static_cast<int32_t>(1 + random.Below(2));
    };
    int found = 0;
    for (int i = 0; i < 120; ++i) {
      PathType path = {step(), i % 3 > 0 ? step() : 0, i % 3 > 1 ? step() : 0};
      const NodeId anchor = random.Below(i % 2 ? 4 : nodes);
      const NodeId hidden = i % 5 ? random.Below(nodes) : kNoNode;
      std::map<NodeId, int> counts;
      for (const auto& [node, count] : counter.Count(anchor, path, hidden)) {
        EXPECT_TRUE(counts.emplace(node, count).second);
      }
      for (NodeId node = 0; node < nodes; ++node) {
        const int expected =
            BrutePathCount(links, nodes, anchor, node, path, hidden);
        EXPECT_EQ(counts.contains(node) ? counts[node] : 0, expected)
            << "seed " << seed << ", " << anchor << " to " << node << " by "
            << path[0] << " " << path[1] << " " << path[2];
        found += expected;
      }
    }
    EXPECT_GT(found, 100);
  }
}

}  // namespace
}  // namespace slice
