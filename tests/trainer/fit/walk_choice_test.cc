// Walk features: their tables, the choice whether they are used, and a run that
// makes it.
#include "trainer/fit/walk_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/files.h"
#include "model/model_bundle.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/fit/fit.h"
#include "trainer/fit/walk_tables.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(WalkChoiceTest, AClearGainIsTaken) {
  EXPECT_TRUE(ChooseWalks({0.98, 0.96}, {0.9812, 0.9624}, 30'000).used);
  EXPECT_FALSE(ChooseWalks({0.98, 0.96}, {0.9805, 0.9605}, 30'000).used);
  EXPECT_FALSE(ChooseWalks({0.98, 0.96}, {0.9812, 0.9574}, 30'000).used);
  // The same gain says less about few rows.
  EXPECT_FALSE(ChooseWalks({0.98, 0.96}, {0.9812, 0.9624}, 1'000).used);
  EXPECT_THAT(ChooseWalks({0.98, 0.96}, {0.9812, 0.9624}, 30'000).reason,
              StartsWith("used: with short trainings"));
}

// Two rings of nodes, joined by one link.
std::shared_ptr<const GraphSnapshot> Rings(NodeId nodes) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"next"};
  for (NodeId node = 0; node < 2 * nodes + 1; ++node) {
    const std::string key = "n" + std::to_string(node);
    data.catalogue.nodes.push_back({key, key, 0});
  }
  for (NodeId node = 0; node < nodes; ++node) {
    data.links.push_back({node, 0, (node + 1) % nodes});
    data.links.push_back({nodes + node, 0, nodes + (node + 1) % nodes});
  }
  data.links.push_back({0, 0, nodes});
  return *GraphSnapshot::Build(data);
}

TEST(WalkTablesTest, NearNodesHaveAHigherProduct) {
  constexpr NodeId kNodes = 60;
  const auto graph = Rings(kNodes);
  GraphStatistics statistics;
  ASSERT_TRUE(
      AddWalkTables(GraphView(*graph), {.dim = 16, .seed = 1}, statistics)
          .ok());
  const auto vectors =
      *WalkVectors::FromStatistics(statistics, graph->node_count());
  ASSERT_TRUE(vectors.has_value());
  const auto in_out = [&](NodeId u, NodeId v) {
    std::array<float, WalkVectors::kFeatures> values;
    vectors->Compute(GraphView(*graph), {u, 0, v}, values);
    return values[0];
  };
  for (NodeId node = 1; node < kNodes; ++node) {
    EXPECT_GT(in_out(node, node - 1), in_out(node, (node + 30) % kNodes));
    EXPECT_GT(in_out(node, node - 1), in_out(node, kNodes + node));
  }
  // The last node has no link.
  EXPECT_EQ(in_out(2 * kNodes, 1), 0);
  EXPECT_EQ(in_out(1, 2 * kNodes), 0);
}

// What is hidden from the view never reaches the tables.
TEST(WalkTablesTest, AHiddenFoldIsAsIfItWereNotThere) {
  const auto graph = Rings(40);
  GraphData reduced = graph->Data();
  GraphView view(*graph);
  view.HidePair(0, 40);
  std::erase(reduced.links, Link{0, 0, 40});
  const auto without = *GraphSnapshot::Build(reduced);
  GraphStatistics of_view, of_reduced;
  ASSERT_TRUE(AddWalkTables(view, {.dim = 8, .seed = 3}, of_view).ok());
  ASSERT_TRUE(
      AddWalkTables(GraphView(*without), {.dim = 8, .seed = 3}, of_reduced)
          .ok());
  for (const char* name : {"walks.inputs", "walks.outputs"}) {
    EXPECT_EQ((*of_view.Get(name))->values, (*of_reduced.Get(name))->values);
  }
}

TEST(WalkFitTest, TheBundleHasTheFeaturesThatTheReportSays) {
  TempDirectory directory;
  WritePlantedFiles(directory, 7);
  FitOptions options = FitOptionsIn(directory);
  ASSERT_TRUE(options.ApplyPreset("fast").ok());
  options.structural_epochs = 1;
  options.walk_dim = 8;
  const absl::Status fitted = Fit(options);
  ASSERT_TRUE(fitted.ok()) << fitted;
  const auto bundle = *ModelBundle::Open(options.out);
  const auto& names = bundle->manifest().pair_features;
  const bool used = std::ranges::find(names, "walks.in_out") != names.end();
  EXPECT_EQ(bundle->statistics().Get("walks.inputs").ok(), used);
  EXPECT_TRUE(bundle->MakeEncoder(nullptr).ok());
  EXPECT_THAT(*ReadFile(options.out / "report/report.txt"),
              HasSubstr(used ? "walk features: used: with short trainings"
                             : "walk features: not used: with short"));
}

}  // namespace
}  // namespace slice
