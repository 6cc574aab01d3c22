#include "graphstore/graph_generator.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "gmock/gmock.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/labelled_link.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class GraphGeneratorTest : public testing::Test {
 protected:
  GraphGeneratorTest() {
    options_.nodes = 3000;
    options_.links = 20000;
    options_.relations = 6;
    options_.communities = 10;
    options_.out = directory_ / "out";
  }

  GeneratorSummary Generate() {
    const auto summary = GenerateGraph(options_);
    EXPECT_TRUE(summary.ok()) << summary.status();
    return summary.ok() ? *summary : GeneratorSummary{};
  }

  // The import refuses a held-out link that is in train.
  static ImportedGraph Import(const GeneratorSummary& summary) {
    EdgeListImportOptions options;
    options.train = summary.train;
    options.held_out = {summary.valid, summary.test};
    options.nodes = summary.nodes;
    auto imported = ImportEdgeList(options);
    EXPECT_TRUE(imported.ok()) << imported.status();
    return imported.ok() ? *std::move(imported) : ImportedGraph{};
  }

  const TempDirectory directory_;
  GeneratorOptions options_;
};

TEST_F(GraphGeneratorTest, WritesExactlyTheLinksAskedFor) {
  const GeneratorSummary summary = Generate();
  const ImportedGraph graph = Import(summary);
  EXPECT_EQ(graph.data.catalogue.nodes.size(), 3000);
  EXPECT_EQ(graph.data.catalogue.relations.size(), 6);
  EXPECT_EQ(graph.data.catalogue.node_types.size(), 3);
  EXPECT_EQ(graph.data.links.size(), summary.train_links);
  EXPECT_EQ(graph.summary.duplicates, 0);
  EXPECT_EQ(graph.summary.self_loops, 0);
  EXPECT_EQ(summary.train_links + summary.valid_links + summary.test_links,
            20000);
  EXPECT_NEAR(summary.valid_links, 1000, 150);
  EXPECT_NEAR(summary.test_links, 1000, 150);
  EXPECT_EQ(summary.valid_negatives, summary.valid_links);
  EXPECT_EQ(summary.test_negatives, summary.test_links);
}

TEST_F(GraphGeneratorTest, NegativesAreNoLinksAndNothingRepeats) {
  const ImportedGraph graph = Import(Generate());
  std::set<Link> links(graph.data.links.begin(), graph.data.links.end());
  for (const auto& split : graph.held_out) {
    for (const LabelledLink& row : split) {
      EXPECT_TRUE(links.insert(row.link).second);
    }
  }
}

TEST_F(GraphGeneratorTest, SameSeedSameFiles) {
  const GeneratorSummary first = Generate();
  options_.out = directory_ / "again";
  const GeneratorSummary again = Generate();
  EXPECT_EQ(*ReadFile(first.train), *ReadFile(again.train));
  EXPECT_EQ(*ReadFile(first.valid), *ReadFile(again.valid));
  EXPECT_EQ(*ReadFile(first.test), *ReadFile(again.test));
  EXPECT_EQ(*ReadFile(first.nodes), *ReadFile(again.nodes));
  options_.out = directory_ / "other";
  options_.seed = 2;
  EXPECT_NE(*ReadFile(first.train), *ReadFile(Generate().train));
}

TEST_F(GraphGeneratorTest, CompressedFilesHoldTheSame) {
  const std::string digest = GraphDigest(Import(Generate()).data);
  options_.compression = "zst";
  const GeneratorSummary packed = Generate();
  EXPECT_EQ(packed.train.extension(), ".zst");
  EXPECT_EQ(GraphDigest(Import(packed).data), digest);
}

// The share of links that follow the planted structure: those between shifted
// communities, or along a path of plain relations.
TEST_F(GraphGeneratorTest, LinksFollowTheirRules) {
  options_.relations = 4;  // plain0, plain1, two-step2, three-step3
  const ImportedGraph graph = Import(Generate());
  const GraphCatalogue& catalogue = graph.data.catalogue;
  std::map<RelationId, std::map<NodeId, std::vector<NodeId>>> targets;
  std::vector<Link> all = graph.data.links;
  for (const auto& split : graph.held_out) {
    for (const LabelledLink& row : split) {
      if (row.positive) all.push_back(row.link);
    }
  }
  const auto id = [&](std::string_view name) {
    for (size_t i = 0; i < catalogue.relations.size(); ++i) {
      if (catalogue.relations[i] == name) return static_cast<RelationId>(i);
    }
    ADD_FAILURE() << std::string(name);
    return RelationId{0};
  };
  for (const Link& link : all)
    targets[link.relation][link.source].push_back(link.target);
  const auto community = [&](NodeId node) {
    const std::string& name = catalogue.nodes[node].name;
    return name.substr(name.rfind(' '));
  };
  // A plain relation has one target community per source community, except for
  // 10 % noise.
  std::map<std::string, std::map<std::string, int>> pairs;
  int plain = 0, usual = 0;
  for (const auto& [source, ends] : targets[id("plain0")]) {
    for (const NodeId end : ends) {
      ++pairs[community(source)][community(end)];
      ++plain;
    }
  }
  for (const auto& [from, counts] : pairs) {
    int most = 0;
    for (const auto& [to, count] : counts) most = std::max(most, count);
    usual += most;
  }
  EXPECT_GT(usual, 0.8 * plain);
  // A two-step relation follows the first and the second plain relation.
  int rule = 0, reached = 0;
  auto& first = targets[id("plain0")];
  auto& second = targets[id("plain1")];
  for (const auto& [source, ends] : targets[id("two-step2")]) {
    std::set<NodeId> behind;
    for (const NodeId middle : first[source])
      behind.insert(second[middle].begin(), second[middle].end());
    for (const NodeId end : ends) {
      ++rule;
      reached += behind.contains(end);
    }
  }
  EXPECT_GT(reached, 0.6 * rule);
}

TEST_F(GraphGeneratorTest, DegreesAreSkewed) {
  const ImportedGraph graph = Import(Generate());
  std::vector<int> degrees(3000);
  for (const Link& link : graph.data.links) {
    ++degrees[link.source];
    ++degrees[link.target];
  }
  std::sort(degrees.rbegin(), degrees.rend());
  EXPECT_GT(degrees[0], 20 * degrees[1500]);
  EXPECT_LT(degrees[2999], 3);
}

TEST_F(GraphGeneratorTest, SmallestAndDensestGraphsAreMade) {
  for (const int relations : {1, 2, 3, 7}) {
    options_.nodes = 12;
    options_.relations = relations;
    options_.links = 4 * relations;
    options_.communities = 12;
    const GeneratorSummary summary = Generate();
    EXPECT_EQ(summary.train_links + summary.valid_links + summary.test_links,
              options_.links);
    EXPECT_EQ(Import(summary).data.catalogue.relations.size(), relations);
  }
  options_.nodes = 60;
  options_.relations = 3;
  options_.links = 300;
  EXPECT_EQ(Import(Generate()).summary.duplicates, 0);
}

TEST_F(GraphGeneratorTest, ImpossibleOptionsAreNamed) {
  const auto expect = [&](const char* message) {
    const auto status = GenerateGraph(options_).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(options_.out));
  };
  options_.relations = 0;
  expect("--relations is 0; it must be from 1 to 1000");
  options_.relations = 6;
  options_.nodes = 3;
  expect("--nodes is 3");
  options_.nodes = 30;
  expect("--links is 20000; it must be from 6 to 150");
  options_.links = 100;
  options_.held_out = 40;
  expect("--held-out is 40");
  options_.held_out = 4;
  options_.communities = 31;
  expect("--communities is 31");
  options_.communities = 3;
  options_.noise = 1.5;
  expect("--noise is 1.5");
}

}  // namespace
}  // namespace slice
