#include "trainer/knowledge_training.h"

#include <algorithm>
#include <span>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr NodeId kNodes = 24, kAlone = 20, kLoop = 21, kOnlySource = 22,
                 kOnlyTarget = 23;

// A ring of the first 20 nodes; then a node without links, one with a link to
// itself, and two that are a source or a target alone.
GraphData RingAndOthers() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"next"};
  for (NodeId node = 0; node < kNodes; ++node) {
    const std::string key = absl::StrCat("n", node);
    data.catalogue.nodes.push_back({key, key, 0});
    if (node < kAlone) data.links.push_back({node, 0, (node + 1) % kAlone});
  }
  data.links.push_back({kLoop, 0, kLoop});
  data.links.push_back({kOnlySource, 0, 3});
  data.links.push_back({4, 0, kOnlyTarget});
  return data;
}

TEST(KnowledgeTrainingTest, NodesWithoutLinksAloneHaveNoVector) {
  const auto snapshot = BuildSnapshotOrDie(RingAndOthers());
  const KnowledgeTrainingOptions options = {.dim = 8, .epochs = 2};
  const auto trained = TrainKnowledge(*snapshot, {}, options);
  ASSERT_TRUE(trained.ok()) << trained.status();
  ASSERT_EQ(trained->nodes.size(), kNodes * options.dim);
  for (NodeId node = 0; node < kNodes; ++node) {
    const auto row =
        std::span(trained->nodes).subspan(node * options.dim, options.dim);
    EXPECT_EQ(std::ranges::all_of(row, [](float x) { return x == 0; }),
              node == kAlone)
        << node;
  }
}

}  // namespace
}  // namespace slice
