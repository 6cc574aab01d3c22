#include "graphstore/graph_export.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class GraphExportTest : public testing::TestWithParam<int> {
 protected:
  absl::StatusOr<ImportedGraph> ImportExported(const GraphData& data,
                                               const std::string& ending) {
    files_ = {directory_ / ("links" + ending), directory_ / ("nodes" + ending)};
    if (absl::Status status = ExportGraphText(data, files_); !status.ok())
      return status;
    EdgeListImportOptions options;
    options.train = files_.links;
    options.nodes = files_.nodes;
    if (!data.weights.empty())
      options.columns = *LinkColumns::Parse("relation,source,target,weight");
    return ImportEdgeList(options);
  }

  const TempDirectory directory_;
  GraphTextFiles files_;
};

// A graph as an import makes it: types are numbered by first appearance, and
// every relation has a link.
GraphData ImportableMultigraph(int seed) {
  RandomMultigraphOptions options;
  options.nodes = 30 + seed;
  options.links = 100 + 20 * seed;
  options.node_types = 1 + seed % 4;
  options.relations = 1 + seed % 5;
  options.weighted = seed % 2 == 1;
  GraphData data = RandomMultigraph(options, seed);
  for (size_t type = 0; type < options.node_types; ++type)
    data.catalogue.nodes[type].type = static_cast<NodeTypeId>(type);
  data.catalogue.nodes[4].name = "blanks  and \xC3\xA9 \"quotes\"";
  data.catalogue.nodes[5].key = "a key, with blanks";
  data.catalogue.nodes[6].key = "key";
  if (seed % 3 == 0) data.catalogue.nodes[7].key = "#hashtag";
  SortLinks(&data);
  return data;
}

TEST_P(GraphExportTest, ImportedAgainIsTheSameGraph) {
  const GraphData data = ImportableMultigraph(GetParam());
  for (const char* ending : {".tsv", ".tsv.gz", ".tsv.zst"}) {
    const auto again = ImportExported(data, ending);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->data.catalogue, data.catalogue);
    EXPECT_EQ(again->data.links, data.links);
    EXPECT_EQ(again->data.weights, data.weights);
    EXPECT_EQ(GraphDigest(again->data), GraphDigest(data));
    EXPECT_EQ(again->summary.duplicates, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GraphExportTest, testing::Range(0, 12));

TEST_F(GraphExportTest, TextsThatBeginWithAQuoteComeBack) {
  GraphData data = ImportableMultigraph(9);
  data.catalogue.nodes[3].name = "\"Weird Al\" Yankovic";
  auto again = ImportExported(data, ".tsv");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->data.catalogue, data.catalogue);
  data.catalogue.nodes[3].key = "\"Weird Al\"";
  data.catalogue.nodes[8].key = "  \"x\"";
  data.catalogue.nodes[9].key = "5\" disk";
  data.catalogue.node_types[1] = "\"t\"";
  data.catalogue.relations[2] = "\"r\"";
  again = ImportExported(data, ".tsv");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->data.catalogue, data.catalogue);
  EXPECT_EQ(again->data.links, data.links);
}

// The importer looks at 4,000 rows.
TEST_F(GraphExportTest, TheFirstQuoteMayComeLate) {
  GraphData data;
  data.catalogue.node_types = {"t"};
  data.catalogue.relations = {"r"};
  for (NodeId i = 0; i < 6000; ++i) {
    data.catalogue.nodes.push_back({absl::StrCat("k", i), "n", 0});
    data.links.push_back({i, 0, 0});
  }
  data.catalogue.nodes[5000] = {"\"k\"", "\"n\"", 0};
  const auto again = ImportExported(data, ".tsv");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->data.catalogue, data.catalogue);
  EXPECT_EQ(again->data.links, data.links);
}

TEST_F(GraphExportTest, WhatWouldBeACommentIsRefused) {
  GraphData data = ImportableMultigraph(1);
  data.catalogue.relations[0] = "#r";
  auto again = ImportExported(data, ".tsv");
  EXPECT_EQ(again.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(again.status().message()),
              HasSubstr("the relation \"#r\" starts with #"));
  data = ImportableMultigraph(3);
  data.catalogue.node_types[0] = "#t";
  again = ImportExported(data, ".tsv");
  EXPECT_EQ(again.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(files_.links));
}

}  // namespace
}  // namespace slice
