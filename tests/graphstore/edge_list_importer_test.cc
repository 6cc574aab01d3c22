#include "graphstore/edge_list_importer.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/files.h"
#include "common/sha256.h"
#include "common/table/text_output.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EdgeListImporterTest : public testing::Test {
 protected:
  void Train(std::string_view text) {
    options_.train = directory_.Write("train.txt", text);
  }
  void Nodes(std::string_view text) {
    options_.nodes = directory_.Write("nodes.tsv", text);
  }
  void HeldOut(std::string_view text) {
    options_.held_out.push_back(directory_.Write(
        absl::StrCat("held_out", options_.held_out.size(), ".txt"), text));
  }

  ImportedGraph ImportOrFail() {
    auto imported = ImportEdgeList(options_);
    EXPECT_TRUE(imported.ok()) << imported.status();
    return imported.ok() ? *std::move(imported) : ImportedGraph{};
  }

  // The message of a refused import, without the name of the directory.
  std::string Error(
      absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    const auto imported = ImportEdgeList(options_);
    EXPECT_EQ(imported.status().code(), code) << imported.status();
    return absl::StrReplaceAll(imported.status().message(),
                               {{directory_.path().string() + "/", ""}});
  }

  static std::vector<std::string> Keys(const ImportedGraph& graph) {
    std::vector<std::string> keys;
    for (const NodeRecord& node : graph.data.catalogue.nodes)
      keys.push_back(node.key);
    return keys;
  }

  const TempDirectory directory_;
  EdgeListImportOptions options_;
};

TEST_F(EdgeListImporterTest, IdsFollowFirstAppearance) {
  Train("likes b a\nknows a c\nlikes c b\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(Keys(graph), ElementsAre("b", "a", "c"));
  EXPECT_THAT(graph.data.catalogue.relations, ElementsAre("likes", "knows"));
  EXPECT_THAT(graph.data.catalogue.node_types, ElementsAre("node"));
  EXPECT_THAT(graph.data.links,
              ElementsAre(Link{0, 0, 1}, Link{1, 1, 2}, Link{2, 0, 0}));
  EXPECT_EQ(graph.data.catalogue.nodes[2].name, "c");
  EXPECT_EQ(graph.summary.lines, 3);
  EXPECT_EQ(graph.split_digest, "");
}

TEST_F(EdgeListImporterTest, ColumnsApplyToTrainAndHeldOut) {
  Train("a b 2 r\nb c 1 r\na b 3 r\n");
  HeldOut("a c 1 r 0\nc a 1 r\n");
  options_.columns = *LinkColumns::Parse("source,target,weight,relation");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(graph.data.links, ElementsAre(Link{0, 0, 1}, Link{1, 0, 2}));
  EXPECT_THAT(graph.data.weights, ElementsAre(3, 1));
  EXPECT_EQ(graph.summary.duplicates, 1);
  EXPECT_EQ(graph.summary.weighted, 1);
  ASSERT_EQ(graph.held_out[0].size(), 2);
  EXPECT_FALSE(graph.held_out[0][0].positive);
  EXPECT_TRUE(graph.held_out[0][1].positive);
}

TEST_F(EdgeListImporterTest, HeldOutFilesMayHaveColumnsOfTheirOwn) {
  Train("a b\nb c\n");
  HeldOut("0 a c\n1 c a\n");
  options_.columns = *LinkColumns::Parse("source,target");
  options_.held_out_columns = *LinkColumns::Parse("label,source,target");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(graph.data.catalogue.relations, ElementsAre("link"));
  EXPECT_EQ(graph.held_out[0][1].link, (Link{2, 0, 0}));
  // The same bytes read by other columns are another split.
  options_.held_out_columns = *LinkColumns::Parse("_,source,target");
  EXPECT_NE(ImportOrFail().split_digest, graph.split_digest);
}

TEST_F(EdgeListImporterTest, TrainRowsLabelledZeroAreRefused) {
  Train("1 r a b\n0 r b c\n");
  options_.columns = *LinkColumns::Parse("label,relation,source,target");
  EXPECT_EQ(Error(),
            "train.txt:2:1: label 0: every row of a training file is a link; "
            "remove this row");
}

TEST_F(EdgeListImporterTest, CompressedFilesGiveTheSameGraphAndSplit) {
  Nodes("a\tx\tA\nb\tx\tB\nc\ty\tC\n");
  Train("r a b\nr b c\n");
  HeldOut("r a c 1\nr c a 0\n");
  const ImportedGraph plain = ImportOrFail();
  const auto compress = [&](std::filesystem::path* path, const char* ending) {
    const std::string text = *ReadFile(*path);
    *path = path->string() + ending;
    const auto output = TextOutput::Create(*path);
    ASSERT_TRUE(output.ok());
    (*output)->Append(text);
    ASSERT_TRUE((*output)->Commit().ok());
  };
  compress(&options_.train, ".gz");
  compress(&options_.nodes, ".zst");
  compress(&options_.held_out[0], ".gz");
  const ImportedGraph packed = ImportOrFail();
  EXPECT_EQ(GraphDigest(packed.data), GraphDigest(plain.data));
  EXPECT_EQ(packed.split_digest, plain.split_digest);
  EXPECT_EQ(packed.summary.lines, 2);
}

TEST_F(EdgeListImporterTest, ErrorsInCompressedFilesNameTheirPlace) {
  options_.train = directory_ / "train.gz";
  const auto output = TextOutput::Create(options_.train);
  (*output)->Append("r a b\nr a\n");
  ASSERT_TRUE((*output)->Commit().ok());
  EXPECT_EQ(Error(), "train.gz:2:4: missing field: the line has no target");
  const std::string bytes = *ReadFile(options_.train);
  directory_.Write("train.gz", bytes.substr(0, bytes.size() - 4));
  EXPECT_EQ(ImportEdgeList(options_).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(EdgeListImporterTest, RepeatedHeldOutRowsAreCountedAndKept) {
  Train("r a b\nr b c\n");
  HeldOut("r a c 1\nr c a 0\nr a c 1\nr a c\n");
  HeldOut("r a c 0\n");  // another file may say otherwise
  const ImportedGraph graph = ImportOrFail();
  EXPECT_EQ(graph.held_out[0].size(), 4);
  EXPECT_EQ(graph.summary.held_out_duplicates, 2);
  EXPECT_EQ(graph.summary.held_out_links, 3);
}

TEST_F(EdgeListImporterTest, ALinkLabelledBothWaysIsRefused) {
  Train("r a b\nr b c\n");
  HeldOut("r c a 0\n# a comment\nr a c 1\nr b a 1\nr a c 0\n");
  EXPECT_EQ(Error(),
            "held_out0.txt:5: the link \"r a c\" is labelled 0 here and 1 in "
            "line 3; remove one of the two lines");
}

TEST_F(EdgeListImporterTest, AttributeColumnsAreRead) {
  Nodes("key\ttype\tname\tage\na\tx\tA\t3\nb\tx\tB\t\n");
  Train("r a b\n");
  options_.attribute_columns = {"age"};
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(graph.attributes.names, ElementsAre("age"));
  ASSERT_EQ(graph.attributes.values.size(), 2);
  EXPECT_EQ(graph.attributes.values[0], 3);
  EXPECT_TRUE(std::isnan(graph.attributes.values[1]));
  options_.nodes.clear();
  EXPECT_EQ(Error(),
            "attribute columns are columns of a node file, but none is given; "
            "give a node file or no attribute columns");
}

TEST_F(EdgeListImporterTest, NodeFileComesFirst) {
  Nodes("id\ttype\tname\nb\tcity\tBonn\na\tperson\tAnna Ann\nz\tcity\t\n");
  Train("lives-in a b\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(
      graph.data.catalogue.nodes,
      ElementsAre(NodeRecord{"b", "Bonn", 0}, NodeRecord{"a", "Anna Ann", 1},
                  NodeRecord{"z", "z", 0}));
  EXPECT_THAT(graph.data.catalogue.node_types, ElementsAre("city", "person"));
  EXPECT_THAT(graph.data.links, ElementsAre(Link{1, 0, 0}));
}

TEST_F(EdgeListImporterTest, NodeCalledIdBelowTheFirstLineIsANode) {
  Nodes("# nodes\nid\tcity\tIdaho\na\tcity\tA\n");
  Train("near a id\n");
  EXPECT_THAT(Keys(ImportOrFail()), ElementsAre("id", "a"));
}

TEST_F(EdgeListImporterTest, KeysMayContainBlanksBetweenTabs) {
  Train("capital of\tNew Delhi\tIndia\nlikes a b\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(Keys(graph), ElementsAre("New Delhi", "India", "a", "b"));
  EXPECT_THAT(graph.data.catalogue.relations,
              ElementsAre("capital of", "likes"));
}

TEST_F(EdgeListImporterTest, DuplicatesCollapseAndSelfLoopsStay) {
  Train("r a b\nr a a\nr a b\nq a b\nr a b\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_EQ(graph.data.links.size(), 3);
  EXPECT_EQ(graph.summary.duplicates, 2);
  EXPECT_EQ(graph.summary.self_loops, 1);
}

TEST_F(EdgeListImporterTest, HeldOutFilesGiveKeysAndNoLinks) {
  Train("r a b\n");
  HeldOut("r b c 1\nr a d 0\n");
  HeldOut("r e a\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(Keys(graph), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_EQ(graph.data.links.size(), 1);
  ASSERT_EQ(graph.held_out.size(), 2);
  ASSERT_EQ(graph.held_out[0].size(), 2);
  EXPECT_EQ(graph.held_out[0][1].link, (Link{0, 0, 3}));
  EXPECT_FALSE(graph.held_out[0][1].positive);
  EXPECT_TRUE(graph.held_out[1][0].positive);
  EXPECT_EQ(graph.summary.held_out_links, 2);
  EXPECT_EQ(graph.summary.held_out_only_nodes, 3);
}

TEST_F(EdgeListImporterTest, SplitDigestTellsTheHeldOutFilesApart) {
  Train("r a b\n");
  HeldOut("r a c 1\n");
  const std::string first = ImportOrFail().split_digest;
  EXPECT_EQ(first, Sha256Bytes(Sha256Bytes("r a c 1\n")));
  HeldOut("r a d 1\n");
  EXPECT_NE(ImportOrFail().split_digest, first);
}

TEST_F(EdgeListImporterTest, HeldOutTripleInTrainIsRefused) {
  Train("r a b\nr b c\nq a b\n");
  HeldOut("r a c 1\nr a b 0\n");
  HeldOut("# header\nr b c 1\nr a b 1\nq b a 1\n");
  EXPECT_EQ(Error(absl::StatusCode::kFailedPrecondition),
            "held_out1.txt:2: the held-out link \"r b c\" is also in the "
            "training file train.txt (2 such links); take them out of one of "
            "the files");
}

TEST_F(EdgeListImporterTest, OtherwiseLinkedPairsAreCounted) {
  Train("r a b\nq a c\nq d d\n");
  HeldOut("r b a 1\nq a b 1\nr c a 0\nr b c 1\nr d d 1\n");
  EXPECT_EQ(ImportOrFail().summary.held_out_pairs_linked, 3);
}

TEST_F(EdgeListImporterTest, ControlCharactersInNamesAreReplaced) {
  Nodes("a\tx\tbad\x01\x02name\nb\tx\tfine\n");
  Train("r a b\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_EQ(graph.data.catalogue.nodes[0].name, "bad\uFFFD\uFFFDname");
  EXPECT_EQ(graph.summary.replaced_control_bytes, 2);
}

TEST_F(EdgeListImporterTest, MissingFileIsNotFound) {
  options_.train = directory_ / "none.txt";
  EXPECT_EQ(ImportEdgeList(options_).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(EdgeListImporterTest, TrainWithoutALinkIsRefused) {
  Train("# nothing\n");
  EXPECT_EQ(Error(), "train.txt:1:1: there is no link");
}

TEST_F(EdgeListImporterTest, FilesAsPeopleHaveThem) {
  Nodes(
      "\xEF\xBB\xBF"
      "Id;Category;Title\r\na;person;\"Ann; the first\"\r\n\"b \"\"x\"\"\";"
      "city;\"two\nlines\"\r\nc;city;\r\n");
  Train("from,to,type\na,\"b \"\"x\"\"\",lives-in\n");
  HeldOut("a,c,lives-in,1\na,a,lives-in,0\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(graph.data.catalogue.nodes,
              ElementsAre(NodeRecord{"a", "Ann; the first", 0},
                          NodeRecord{"b \"x\"", "two\uFFFDlines", 1},
                          NodeRecord{"c", "c", 1}));
  EXPECT_THAT(graph.data.catalogue.relations, ElementsAre("lives-in"));
  EXPECT_THAT(graph.data.links, ElementsAre(Link{0, 0, 1}));
  EXPECT_EQ(graph.held_out[0][0].link, (Link{0, 0, 2}));
  EXPECT_FALSE(graph.held_out[0][1].positive);
  ASSERT_EQ(graph.summary.recognised.size(), 3);
  EXPECT_THAT(graph.summary.recognised[0],
              HasSubstr("nodes.tsv: semicolons and quotes, a header; \"Id\" is "
                        "the key, \"Category\" is the type, \"Title\" is the "
                        "name"));
  EXPECT_THAT(graph.summary.recognised[2],
              HasSubstr("commas, no header; the columns are source, target, "
                        "relation, label"));
}

// The command used to take a header for a link.
TEST_F(EdgeListImporterTest, AHeaderNeverBecomesALink) {
  for (const char* text :
       {"relation source target\na b c\n", "source,target,relation\na,b,c\n",
        "\"From\";\"To\";\"Type\"\na;b;c\n",
        "subject\tpredicate\tobject\na\tb\tc\n"}) {
    Train(text);
    const ImportedGraph graph = ImportOrFail();
    EXPECT_EQ(graph.data.links.size(), 1) << text;
    EXPECT_EQ(graph.data.catalogue.nodes.size(), 2) << text;
  }
}

TEST_F(EdgeListImporterTest, WhatAServerRefusesIsRefused) {
  const std::string long_key(1025, 'k');
  Train("r a " + long_key + "\n");
  EXPECT_EQ(Error(), "train.txt:1:5: the target \"" + std::string(40, 'k') +
                         "...\" has 1025 bytes; at most 1024 are allowed");
  Train(long_key + " a b\n");
  EXPECT_THAT(Error(), HasSubstr("train.txt:1:1: the relation \"kkk"));
  Train("r a a\n");
  Nodes("a\tx\t" + long_key + "\n");
  EXPECT_THAT(Error(), HasSubstr("nodes.tsv:1:5: the name \"kkk"));
}

struct BadTrainLine {
  std::string line;
  std::string error;  // behind "train.txt:2:"
};

class BadTrainLineTest : public EdgeListImporterTest,
                         public testing::WithParamInterface<BadTrainLine> {};

TEST_P(BadTrainLineTest, IsRefusedWithItsPlace) {
  Train(absl::StrCat("r a b\n", GetParam().line, "\nr b c\n"));
  EXPECT_EQ(Error(), absl::StrCat("train.txt:2:", GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadTrainLineTest,
    testing::Values(
        BadTrainLine{"r a", "4: missing field: the line has no target"},
        BadTrainLine{"r", "2: missing field: the line has no source"},
        BadTrainLine{"r a b c d", "7: extra column \"c\" after the target"},
        BadTrainLine{"r a b 1",
                     "7: extra column \"1\" after the target (only held-out "
                     "files may end with a label; if this column is something "
                     "else, name all columns with --columns)"},
        BadTrainLine{"r\t\tb", "3: empty field: the source"},
        BadTrainLine{"\ta\tb", "1: empty field: the relation"},
        BadTrainLine{"r\ta\t  ", "5: empty field: the target"},
        BadTrainLine{"r a\xFFz b",
                     "4: invalid UTF-8 in the source \"a\\xffz\""},
        BadTrainLine{"r a b\x1B[2J",
                     "6: control character 0x1B in the target \"b\\x1b[2J\""}));

struct BadNodeLine {
  std::string line;
  std::string error;  // behind "nodes.tsv:3:"
};

class BadNodeLineTest : public EdgeListImporterTest,
                        public testing::WithParamInterface<BadNodeLine> {};

TEST_P(BadNodeLineTest, IsRefusedWithItsPlace) {
  Nodes(absl::StrCat("key\ttype\tname\na\tx\tA\n", GetParam().line, "\n"));
  Train("r a a\n");
  EXPECT_EQ(Error(), absl::StrCat("nodes.tsv:3:", GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadNodeLineTest,
    testing::Values(
        BadNodeLine{"b\tx", "4: missing field: the line has no name"},
        BadNodeLine{"b x B",
                    "6: missing field: a node is key, type and name, separated "
                    "by tabs, commas or semicolons"},
        BadNodeLine{"b\tx\tB\t1", "7: extra column \"1\" after the name"},
        BadNodeLine{"\tx\tB", "1: empty field: the key"},
        BadNodeLine{"b\t\tB", "3: empty field: the type"},
        BadNodeLine{"a\ty\tB", "1: the key \"a\" occurs twice"},
        BadNodeLine{"b\tx\tB\xC3", "6: invalid UTF-8 in the name \"B\\xc3\""}));

TEST_F(EdgeListImporterTest, BadLabelIsRefusedWithItsPlace) {
  Train("r a b\n");
  HeldOut("r b a 2\n");
  EXPECT_EQ(Error(), "held_out0.txt:1:7: bad label \"2\": it must be 1 or 0");
}

TEST_F(EdgeListImporterTest, EmptyLabelIsRefusedWithItsPlace) {
  Train("r a b\n");
  HeldOut("r\tb\ta\t\n");
  EXPECT_EQ(Error(), "held_out0.txt:1:7: empty field: the label");
}

TEST_F(EdgeListImporterTest, ColumnBehindTheLabelIsRefused) {
  Train("r a b\n");
  HeldOut("r b a 1\nr b a 1 x\n");
  EXPECT_EQ(Error(), "held_out0.txt:2:9: extra column \"x\" after the label");
}

TEST_F(EdgeListImporterTest, RelationOfHeldOutFilesOnlyIsRefused) {
  Train("r a b\n");
  HeldOut("q a b 1\n");
  EXPECT_EQ(Error(),
            "held_out0.txt:1:1: the relation \"q\" has no link in the training "
            "file train.txt");
}

TEST_F(EdgeListImporterTest, KeyThatTheNodeFileLacksIsRefused) {
  Nodes("a\tx\tA\nb\tx\tB\n");
  Train("r a b\nr a c\n");
  EXPECT_EQ(Error(),
            "train.txt:2:5: the key \"c\" is not in the node file nodes.tsv");
  Train("r a b\n");
  HeldOut("r d a 0\n");
  EXPECT_EQ(Error(),
            "held_out0.txt:1:3: the key \"d\" is not in the node file "
            "nodes.tsv");
}

TEST_F(EdgeListImporterTest, NodeLimitIsNamedWithItsPlace) {
  Train("r a b\nr c c\nr a d\n");
  options_.max_nodes = 3;
  EXPECT_EQ(Error(), "train.txt:3:5: the limit of 3 nodes is reached");
  options_.max_nodes = 4;
  EXPECT_EQ(ImportOrFail().data.catalogue.nodes.size(), 4);
}

TEST_F(EdgeListImporterTest, NodeLimitHoldsForNodeFiles) {
  Nodes("a\tx\tA\nb\tx\tB\n");
  Train("r a a\n");
  options_.max_nodes = 1;
  EXPECT_EQ(Error(), "nodes.tsv:2:1: the limit of 1 nodes is reached");
}

TEST_F(EdgeListImporterTest, ARelationTooManyLeavesNoNode) {
  std::string text;
  for (int i = 0; i < 65535; ++i) absl::StrAppend(&text, "r", i, " a b\n");
  Train(text + "last c d\n");
  options_.columns = LinkColumns();
  options_.max_errors = 1;
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(graph.summary.skipped,
              ElementsAre(HasSubstr(
                  ":65536:1: the limit of 65535 relations is reached")));
  EXPECT_THAT(Keys(graph), ElementsAre("a", "b"));
}

TEST_F(EdgeListImporterTest, ATypeTooManyIsNamed) {
  std::string text;
  for (int i = 0; i < 65535; ++i) absl::StrAppend(&text, i, "\tt", i, "\tA\n");
  Nodes(text);
  Train("r 0 65534\n");
  EXPECT_EQ(ImportOrFail().data.catalogue.node_types.size(), 65535);
  Nodes(text + "last\tlast\tA\n");
  EXPECT_EQ(Error(),
            "nodes.tsv:65536:6: the limit of 65535 node types is reached");
}

TEST_F(EdgeListImporterTest, MalformedLinesAreSkippedUpToALimit) {
  Train("r a b\nbad\nr b c\nr d\n");
  options_.max_errors = 2;
  const ImportedGraph graph = ImportOrFail();
  EXPECT_EQ(graph.data.links.size(), 2);
  EXPECT_THAT(Keys(graph), ElementsAre("a", "b", "c"));
  ASSERT_EQ(graph.summary.skipped.size(), 2);
  EXPECT_THAT(graph.summary.skipped[1], HasSubstr("train.txt:4:4: missing"));
  options_.max_errors = 1;
  const std::string error = Error();
  EXPECT_THAT(error, HasSubstr("train.txt:4:4: missing field"));
  EXPECT_THAT(error, HasSubstr("(after 1 skipped lines, the first: train.txt:2"
                               ":4: "));
}

TEST_F(EdgeListImporterTest, AStrayQuoteSpoilsItsLineAlone) {
  std::string text = "source,target\n";
  for (int i = 0; i < 300; ++i) {
    const char* quote = i == 10 || i == 250 ? "\"" : "";
    absl::StrAppend(&text, quote, "a", i, i == 250 ? "\"" : "", ",b\n");
  }
  Train(text);
  options_.max_errors = 5;
  const ImportedGraph graph = ImportOrFail();
  EXPECT_EQ(graph.data.links.size(), 299);
  EXPECT_THAT(graph.summary.skipped,
              ElementsAre(HasSubstr("train.txt:12:1: the quote that begins "
                                    "here is not closed")));
}

// The shape of a file is recognised from its first 4,000 rows.
TEST_F(EdgeListImporterTest, TheFirstQuoteMayComeLate) {
  std::string text = "source,target\n";
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&text, "a", i, ",b\n");
  Train(text + "\"c, d\",\"e\"\n");
  const ImportedGraph graph = ImportOrFail();
  EXPECT_THAT(Keys(graph), testing::IsSupersetOf({"c, d", "e"}));
}

TEST_F(EdgeListImporterTest, RandomMultigraphComesBack) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const GraphData data = RandomMultigraph({.isolated = 0}, seed);
    const GraphCatalogue& catalogue = data.catalogue;
    std::string nodes, links;
    for (const NodeRecord& node : catalogue.nodes) {
      absl::StrAppend(&nodes, node.key, "\t", catalogue.node_types[node.type],
                      "\t", node.name, "\n");
    }
    std::set<Link> distinct(data.links.begin(), data.links.end());
    for (const Link& link : data.links) {
      absl::StrAppend(&links, catalogue.relations[link.relation], " ",
                      catalogue.nodes[link.source].key, " ",
                      catalogue.nodes[link.target].key, "\n");
    }
    Nodes(nodes);
    Train(links);
    const ImportedGraph graph = ImportOrFail();
    std::set<std::string> expected, found;
    const auto describe = [](const GraphCatalogue& c, const Link& link) {
      return absl::StrCat(c.relations[link.relation], " ",
                          c.nodes[link.source].key, " ",
                          c.nodes[link.target].key);
    };
    for (const Link& link : distinct)
      expected.insert(describe(catalogue, link));
    for (const Link& link : graph.data.links)
      found.insert(describe(graph.data.catalogue, link));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(graph.summary.duplicates, data.links.size() - distinct.size());
    EXPECT_EQ(Keys(graph).size(), catalogue.nodes.size());
  }
}

}  // namespace
}  // namespace slice
