#include "trainer/methods/walks/walk_schemes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Counts paths one by one, by metapath: the labels of their steps, with types
// after the type of the start.
std::map<std::vector<uint32_t>, double> CountPaths(
    const LabelledWalkGraph& graph, int steps) {
  std::map<std::vector<uint32_t>, double> counts;
  std::vector<uint32_t> metapath;
  const std::function<void(NodeId, int)> go = [&](NodeId node, int left) {
    if (left == 0) {
      ++counts[metapath];
      return;
    }
    graph.ForEachLabel(node,
                       [&](uint32_t label, std::span<const NodeId> neighbors) {
                         metapath.push_back(label);
                         for (const NodeId neighbor : neighbors)
                           go(neighbor, left - 1);
                         metapath.pop_back();
                       });
  };
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.labels() == WalkLabels::kNodeTypes) {
      metapath = {graph.TypeOf(node)};
    }
    go(node, steps);
    metapath.clear();
  }
  return counts;
}

// The metapath of a scheme, without its reverse.
std::vector<uint32_t> MetapathOf(const WalkScheme& scheme, WalkLabels labels) {
  std::vector<uint32_t> metapath(
      scheme.steps.begin(),
      scheme.steps.begin() + static_cast<ptrdiff_t>(scheme.steps.size() / 2));
  if (labels == WalkLabels::kNodeTypes) {
    metapath.insert(metapath.begin(), scheme.TypeBefore(0));
  }
  return metapath;
}

class WalkSchemesTest : public testing::TestWithParam<size_t> {};

TEST_P(WalkSchemesTest, CommonSchemesAreThoseWithTheMostPaths) {
  RandomMultigraphOptions options;
  options.node_types = GetParam();
  options.relations = 3;
  options.nodes = 14;
  options.links = 30;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 2));
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  std::vector<double> all;
  for (int steps = 2; steps <= 3; ++steps) {
    for (const auto& [metapath, paths] : CountPaths(graph, steps)) {
      all.push_back(paths);
    }
  }
  std::sort(all.rbegin(), all.rend());
  const std::vector<WalkScheme> schemes = CommonWalkSchemes(graph, 3, 5);
  ASSERT_GE(schemes.size(), 5u);
  for (size_t i = 0; i < schemes.size(); ++i) {
    const auto metapath = MetapathOf(schemes[i], graph.labels());
    const int steps = static_cast<int>(schemes[i].steps.size()) / 2;
    EXPECT_EQ(schemes[i].paths, CountPaths(graph, steps)[metapath]) << i;
    if (i > 0) {
      EXPECT_LE(schemes[i].paths, schemes[i - 1].paths);
    }
  }
  EXPECT_EQ(schemes[0].paths, all[0]);
  for (uint32_t label = 0; label < graph.label_count(); ++label) {
    bool in_graph = false, in_schemes = false;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
      in_graph |= !graph.Neighbors(node, label).empty();
    }
    for (const WalkScheme& scheme : schemes) {
      in_schemes |= testing::Value(scheme.steps, testing::Contains(label));
    }
    EXPECT_EQ(in_graph, in_schemes) << label;
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, WalkSchemesTest, testing::Values(3, 1));

TEST(ParseWalkSchemes, ReadsTypesAndAddsTheReverse) {
  const auto snapshot = ToySnapshot();
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  ASSERT_EQ(graph.labels(), WalkLabels::kNodeTypes);
  const std::string first = snapshot->TypeName(0);
  const std::string second = snapshot->TypeName(1);
  const auto schemes =
      ParseWalkSchemes(first + "-" + second + "-" + first, *snapshot, graph);
  ASSERT_TRUE(schemes.ok()) << schemes.status();
  EXPECT_THAT(schemes->front().steps, ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(FormatWalkScheme(schemes->front(), *snapshot, graph.labels()),
            first + "-" + second + "-" + first);
}

TEST(ParseWalkSchemes, ReadsRelationsAgainstTheirDirection) {
  RandomMultigraphOptions options;
  options.node_types = 1;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(options, 1));
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  const std::string name = snapshot->RelationName(2);
  const auto schemes = ParseWalkSchemes("^" + name, *snapshot, graph);
  ASSERT_TRUE(schemes.ok()) << schemes.status();
  EXPECT_THAT(schemes->front().steps, ElementsAre(5, 4));
}

TEST(ParseWalkSchemes, NamesMissingTypes) {
  const auto snapshot = ToySnapshot();
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  const auto unknown = ParseWalkSchemes("author-paper", *snapshot, graph);
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.status().message()),
              HasSubstr("no node type 'author'; there are "));
  const auto short_one =
      ParseWalkSchemes(snapshot->TypeName(0), *snapshot, graph);
  EXPECT_EQ(short_one.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ParseWalkSchemes(",", *snapshot, graph).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Teams and tags have links to packages only.
TEST(ParseWalkSchemes, AMetapathWithoutAPathIsRefused) {
  const auto snapshot = ToySnapshot();
  const LabelledWalkGraph graph{GraphView(*snapshot)};
  for (const char* metapath : {"team-tag", "team-team", "package-team-tag"}) {
    const auto schemes = ParseWalkSchemes(metapath, *snapshot, graph);
    EXPECT_EQ(schemes.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(schemes.status().message()),
                HasSubstr(std::string(metapath) + "' has no path"));
  }
  EXPECT_TRUE(ParseWalkSchemes("team-package-package", *snapshot, graph).ok());
}

}  // namespace
}  // namespace slice
