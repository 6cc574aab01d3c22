#include "graphstore/graph_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "graphstore/graph_limits.h"
#include "graphstore/graph_snapshot.h"
#include "tests/testing/random_history.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/row_difference.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void ExpectNames(const GraphSnapshot& graph, const GraphCatalogue& catalogue,
                 const std::set<NodeId>& removed) {
  std::vector<std::tuple<std::string, NodeTypeId, std::string, NodeId>>
      in_order;
  std::map<std::string, std::vector<NodeId>> by_name;  // lower case
  for (NodeId node = 0; node < catalogue.nodes.size(); ++node) {
    const NodeRecord& record = catalogue.nodes[node];
    ASSERT_EQ(graph.Node(node), record);
    ASSERT_EQ(graph.IsRemoved(node), removed.contains(node));
    const auto found = graph.names().FindKey(record.key);
    if (removed.contains(node)) {
      ASSERT_EQ(found, std::nullopt);
      continue;
    }
    ASSERT_EQ(found, node);
    in_order.emplace_back(absl::AsciiStrToLower(record.name), record.type,
                          record.name, node);
    by_name[absl::AsciiStrToLower(record.name)].push_back(node);
  }
  std::sort(in_order.begin(), in_order.end());
  std::vector<NodeId> nodes;
  for (const auto& place : in_order) nodes.push_back(std::get<NodeId>(place));
  ASSERT_EQ(graph.names().FindPrefix("", {}, 0, 100000), nodes);
  ASSERT_THAT(graph.names().FindPrefix("", {}, 5, 10),
              ElementsAreArray(nodes.begin() + 5, nodes.begin() + 15));
  for (const auto& [name, with_name] : by_name) {
    // Those of one case may be fewer.
    for (const NodeId node : graph.names().FindName(name).nodes)
      ASSERT_THAT(with_name, ::testing::Contains(node));
    ASSERT_THAT(graph.names().NearMisses(name), Not(IsEmpty()));
  }
}

class GraphHistory : public testing::TestWithParam<uint64_t> {
 protected:
  const GraphData start_ = RandomMultigraph(
      {.nodes = 300, .links = 900, .weighted = GetParam() % 2 == 1},
      GetParam());
};

INSTANTIATE_TEST_SUITE_P(Seeds, GraphHistory, testing::Range<uint64_t>(0, 6));

TEST_P(GraphHistory, EveryVersionIsTheGraphBuiltAnew) {
  RandomHistory history(start_, GetParam());
  auto graph = BuildSnapshotOrDie(start_);
  for (int batch = 0; batch < 40; ++batch) {
    const auto before = graph;
    const GraphChanges changes = history.Next(batch % 4 == 0 ? 200 : 10);
    auto changed = graph->Apply(changes, static_cast<uint64_t>(batch) + 1);
    ASSERT_TRUE(changed.ok()) << changed.status();
    graph = *std::move(changed);
    // Of odd seeds the base is let go, in one step or in several.
    if (GetParam() % 2 == 1) graph = graph->OffBase(batch == 30 ? 100 : 1);
    EXPECT_EQ(graph->graph_version(), static_cast<uint64_t>(batch) + 1);
    const GraphData now = history.Now();
    const auto expected = BuildSnapshotOrDie(now);
    ASSERT_EQ(graph->link_count(), expected->link_count());
    for (size_t r = 0; r < expected->relation_count(); ++r) {
      const auto relation = static_cast<RelationId>(r);
      ASSERT_EQ(graph->link_count(relation), expected->link_count(relation));
    }
    ASSERT_EQ(graph->node_count(), expected->node_count());
    ASSERT_EQ(graph->node_types(), expected->node_types());
    ASSERT_EQ(RowDifference(*graph, *expected), "");
    ExpectNames(*graph, now.catalogue, history.removed());
    if (HasFatalFailure()) return;
  }
}

// A version that is kept does not see what came after it.
TEST_P(GraphHistory, OldVersionsStayAsTheyWere) {
  RandomHistory history(start_, GetParam() + 100);
  std::vector<std::shared_ptr<const GraphSnapshot>> versions = {
      BuildSnapshotOrDie(start_)};
  std::vector<GraphData> data = {history.Now()};
  for (int batch = 0; batch < 10; ++batch) {
    auto changed = versions.back()->Apply(history.Next(50), 1);
    ASSERT_TRUE(changed.ok()) << changed.status();
    versions.push_back(*std::move(changed));
    data.push_back(history.Now());
  }
  for (size_t version = 0; version < versions.size(); ++version) {
    const auto expected = BuildSnapshotOrDie(data[version]);
    EXPECT_EQ(RowDifference(*versions[version], *expected), "");
  }
}

class GraphChangesTest : public testing::Test {
 protected:
  NodeId Node(const char* key) const { return *graph_->names().FindKey(key); }
  Link Depends(const char* from, const char* to) const {
    return ToyLink(*graph_, from, "depends", to);
  }
  std::string Refusal(const GraphChanges& changes) const {
    const auto changed = graph_->Apply(changes, 1);
    EXPECT_EQ(changed.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(changed.status().message());
  }

  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
};

TEST_F(GraphChangesTest, NothingChangesNothing) {
  const auto same = graph_->Apply({}, 7);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ((*same)->graph_version(), 7u);
  EXPECT_EQ(RowDifference(**same, *graph_), "");
}

TEST_F(GraphChangesTest, ARemovedNodeComesBackWithItsId) {
  const NodeId curl = Node("curl");
  const auto gone = *graph_->Apply({.removed_nodes = {curl}}, 1);
  EXPECT_TRUE(gone->IsRemoved(curl));
  EXPECT_EQ(gone->names().FindKey("curl"), std::nullopt);
  EXPECT_THAT(gone->DistinctNeighbors(curl), IsEmpty());
  EXPECT_FALSE(gone->HasLink(Depends("curl", "libcurl4")));
  NodeRecord record = graph_->Node(curl);
  record.name = "cURL again";
  const auto back = *gone->Apply({.set_nodes = {{curl, record}}}, 2);
  EXPECT_FALSE(back->IsRemoved(curl));
  EXPECT_EQ(back->names().FindKey("curl"), curl);
  EXPECT_THAT(back->names().FindName("cURL again").nodes, ElementsAre(curl));
  EXPECT_THAT(back->DistinctNeighbors(curl), IsEmpty());
}

TEST_F(GraphChangesTest, TypesBeyondTheLimitAreRefused) {
  GraphChanges changes;
  changes.added_types.resize(kMostNodeTypes - graph_->node_type_count(), "t");
  const auto changed = graph_->Apply(changes, 1);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ((*changed)->node_type_count(), kMostNodeTypes);
  changes.added_types.emplace_back("one too many");
  EXPECT_EQ(Refusal(changes),
            "a graph holds at most 65535 node types, not 65536");
}

TEST_F(GraphChangesTest, ContradictionsAreRefusedByName) {
  const NodeId curl = Node("curl");
  const auto nodes = static_cast<NodeId>(graph_->node_count());
  const Link link = Depends("curl", "lonely");
  const Link there = Depends("curl", "libcurl4");
  const float kNaN = std::numeric_limits<float>::quiet_NaN();
  const struct {
    GraphChanges changes;
    const char* says;
  } cases[] = {
      {{.added_nodes = {{"curl", "x", 0}}}, "the key 'curl' is taken"},
      {{.added_nodes = {{"a", "x", 0}, {"a", "y", 0}}},
       "two nodes have the key 'a'"},
      {{.added_nodes = {{"a", "x", 99}}}, "node 'a' has type 99"},
      {{.set_nodes = {{curl, {"kurl", "x", 0}}}},
       "node 'curl' cannot have another key, 'kurl'"},
      {{.set_nodes = {{nodes, {"a", "x", 0}}}}, "is not among the"},
      {{.set_nodes = {{curl, graph_->Node(curl)}}, .removed_nodes = {curl}},
       "node 'curl' is set and removed"},
      {{.set_nodes = {{curl, graph_->Node(curl)}, {curl, graph_->Node(curl)}}},
       "two nodes have the key 'curl'"},
      {{.removed_nodes = {nodes}}, "is not among the"},
      {{.removed_nodes = {curl}, .added_links = {{link}}},
       "has an end that is removed"},
      {{.added_links = {{link}, {link}}}, "is added twice"},
      {{.added_links = {{link}}, .removed_links = {link}},
       "is added and removed"},
      {{.added_links = {{link, 0}}}, "has the weight 0"},
      {{.added_links = {{link, kNaN}}}, "has the weight nan"},
      {{.added_links = {{{curl, 99, curl}}}}, "names a relation"},
      {{.added_links = {{{curl, 0, nodes}}}}, "names a node"},
      {{.removed_links = {{nodes, 0, curl}}}, "names a node"}};
  for (const auto& [changes, says] : cases)
    EXPECT_THAT(Refusal(changes), HasSubstr(says));
  EXPECT_TRUE(graph_->HasLink(there));
  const auto gone = *graph_->Apply({.removed_nodes = {curl}}, 1);
  EXPECT_THAT(gone->Apply({.added_links = {{link}}}, 2).status().message(),
              HasSubstr("has an end that is removed"));
}

}  // namespace
}  // namespace slice
