#include "graphstore/graph_export.h"

#include <filesystem>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/random.h"
#include "graphstore/edge_list_import_options.h"
#include "graphstore/edge_list_importer.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

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
    options.format.header = false;
    options.columns = *LinkColumns::Parse(
        data.weights.empty() ? "relation,source,target"
                             : "relation,source,target,weight");
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

// Signs that mean something at the start of a field or of a row.
std::string AwkwardText(Random& random) {
  constexpr std::string_view kSigns = "#\" a,";
  std::string text;
  for (uint32_t i = random.Below(4); i > 0; --i)
    text += kSigns[random.Below(kSigns.size())];
  return text;
}

TEST_P(GraphExportTest, NoTextIsTakenForACommentOrAQuote) {
  Random random(GetParam());
  GraphData data = ImportableMultigraph(GetParam());
  size_t number = 0;
  const auto change = [&](std::string& text) {
    text = absl::StrCat(AwkwardText(random), number++);
  };
  for (std::string& type : data.catalogue.node_types) change(type);
  for (std::string& relation : data.catalogue.relations) change(relation);
  for (NodeRecord& node : data.catalogue.nodes) {
    change(node.key);
    change(node.name);
  }
  const auto again = ImportExported(data, ".tsv");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->data.catalogue, data.catalogue);
  EXPECT_EQ(again->data.links, data.links);
  const std::string links = *ReadFile(files_.links);
  const std::string nodes = *ReadFile(files_.nodes);
  ASSERT_TRUE(ExportGraphText(again->data, files_).ok());
  EXPECT_EQ(*ReadFile(files_.links), links);
  EXPECT_EQ(*ReadFile(files_.nodes), nodes);
}

TEST_F(GraphExportTest, KeysAndTypesMayAllBeginAsAComment) {
  GraphData data = ImportableMultigraph(1);
  data.catalogue.nodes[0].key = "#hash";
  for (std::string& type : data.catalogue.node_types) type.insert(0, "#");
  for (std::string& relation : data.catalogue.relations)
    relation.insert(0, "#");
  const auto again = ImportExported(data, ".tsv");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->data.catalogue, data.catalogue);
  EXPECT_EQ(again->data.links, data.links);
}

TEST_F(GraphExportTest, NothingIsLeftOfAnExportThatFails) {
  files_ = {directory_ / "links.tsv", directory_ / "nodes.tsv"};
  std::filesystem::create_directory(files_.links);
  EXPECT_FALSE(ExportGraphText(ImportableMultigraph(1), files_).ok());
  EXPECT_FALSE(std::filesystem::exists(files_.nodes));
}

}  // namespace
}  // namespace slice
