#include "graphstore/split/split_files.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/split/split_input.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class SplitFilesTest : public testing::Test {
 protected:
  static std::vector<std::string> SomeRows(int count) {
    Random random(4);
    std::vector<std::string> rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back(absl::StrCat("\"P, ", random.Below(60), "\",",
                                  random.Below(3) == 0 ? "knows" : "likes",
                                  ",\"say \"\"", random.Below(60), "\"\"\",",
                                  2000 + random.Below(20), "-01-01"));
    }
    return rows;
  }
  void WriteLinks(const std::vector<std::string>& rows) {
    options_.links = directory_.Write(
        "links.csv", absl::StrCat("from,type,to,since\r\n",
                                  absl::StrJoin(rows, "\r\n"), "\r\n"));
  }
  SplitSummary SplitOrDie(const std::string& out) {
    auto summary = WriteSplit(options_, directory_ / out);
    EXPECT_TRUE(summary.ok()) << summary.status();
    return summary.ok() ? *summary : SplitSummary{};
  }
  std::string TextOf(const std::string& out) const {
    std::string text;
    for (const auto& path : SplitPaths(directory_ / out).all())
      text += *ReadFile(path);
    return text;
  }
  // The error, without the name of the directory.
  std::string Error() {
    const auto summary = WriteSplit(options_, directory_ / "none");
    EXPECT_FALSE(std::filesystem::exists(directory_ / "none"));
    const std::string message(summary.status().message());
    const std::string folder = directory_.path().string() + "/";
    const size_t at = message.find(folder);
    return at == std::string::npos
               ? message
               : message.substr(0, at) + message.substr(at + folder.size());
  }

  const TempDirectory directory_;
  SplitOptions options_;
};

TEST_F(SplitFilesTest, TheImporterTakesTheFiles) {
  WriteLinks(SomeRows(500));
  for (const SplitRule rule : {SplitRule::kRandom, SplitRule::kTime,
                               SplitRule::kNewest, SplitRule::kNodes}) {
    options_.rule = rule;
    const SplitSummary summary = SplitOrDie("split");
    const SplitPaths paths(directory_ / "split");
    EdgeListImportOptions import;
    import.train = paths.train;
    import.held_out = {paths.valid, paths.test};
    // Refuses held-out links that are in train, and contradicting labels.
    const auto recognised = ImportEdgeList(import);
    ASSERT_TRUE(recognised.ok()) << recognised.status();
    ReadAsSplit(summary.has_weights, &import);
    const auto told = ImportEdgeList(import);
    ASSERT_TRUE(told.ok()) << told.status();
    EXPECT_EQ(GraphDigest(told->data), GraphDigest(recognised->data));
    EXPECT_EQ(told->split_digest, recognised->split_digest);
    EXPECT_EQ(told->data.links.size(), summary.train);
    EXPECT_EQ(told->held_out[0].size(),
              summary.valid + summary.valid_negatives);
    EXPECT_EQ(told->summary.held_out_links, summary.valid + summary.test);
    EXPECT_EQ(told->summary.held_out_duplicates, 0);
    EXPECT_EQ(summary.train + summary.valid + summary.test + summary.left_out +
                  summary.repeated_rows,
              500);
    EXPECT_THAT(told->data.catalogue.nodes,
                Contains(testing::Field(&NodeRecord::key, HasSubstr("P, "))));
  }
}

TEST_F(SplitFilesTest, TheOrderOfRowsDoesNotMatter) {
  std::vector<std::string> rows = SomeRows(400);
  for (const SplitRule rule :
       {SplitRule::kRandom, SplitRule::kTime, SplitRule::kNodes}) {
    options_.rule = rule;
    WriteLinks(rows);
    SplitOrDie("split");
    const std::string first = TextOf("split");
    std::reverse(rows.begin(), rows.end());
    WriteLinks(rows);
    SplitOrDie("again");
    EXPECT_EQ(TextOf("again"), first);
  }
}

TEST_F(SplitFilesTest, TheNewestRowsAreHeldOut) {
  std::vector<std::string> rows;
  for (int i = 0; i < 20; ++i)
    rows.push_back(absl::StrCat("a", i, ",r,b", i, ",2000"));
  rows.push_back(rows[0]);  // stays where it is first seen
  WriteLinks(rows);
  options_.rule = SplitRule::kNewest;
  const SplitSummary summary = SplitOrDie("split");
  EXPECT_EQ(summary.repeated_rows, 1);
  const SplitPaths paths(directory_ / "split");
  EXPECT_THAT(*ReadFile(paths.test), HasSubstr("r\ta18\tb18\t1\n"));
  EXPECT_THAT(*ReadFile(paths.test), HasSubstr("r\ta19\tb19\t1\n"));
  EXPECT_THAT(*ReadFile(paths.valid), HasSubstr("r\ta17\tb17\t1\n"));
  EXPECT_THAT(*ReadFile(paths.train), HasSubstr("r\ta0\tb0\n"));
}

TEST_F(SplitFilesTest, WeightsAndAwkwardKeysSurvive) {
  std::string text = "source,target,weight\n";
  for (int i = 0; i < 40; ++i)
    absl::StrAppend(&text, "\"\"\"a\"\" ", i, "\",#b", i % 7, ",", i + 1, "\n");
  options_.links = directory_.Write("weights.csv", text);
  const SplitSummary summary = SplitOrDie("split");
  EXPECT_TRUE(summary.has_weights);
  EdgeListImportOptions import;
  const SplitPaths paths(directory_ / "split");
  import.train = paths.train;
  import.held_out = {paths.valid, paths.test};
  ReadAsSplit(summary.has_weights, &import);
  const auto imported = ImportEdgeList(import);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(imported->data.weights.size(), summary.train);
  std::set<std::string> keys;
  for (const NodeRecord& node : imported->data.catalogue.nodes)
    keys.insert(node.key);
  for (int i = 0; i < 40; ++i)
    EXPECT_TRUE(keys.contains(absl::StrCat("\"a\" ", i))) << i;
  EXPECT_TRUE(keys.contains("#b3"));
}

TEST_F(SplitFilesTest, RelationsMayBeginAsACommentOrAQuote) {
  std::string text = "relation,source,target\n";
  for (int i = 0; i < 60; ++i)
    absl::StrAppend(&text, i % 2 == 0 ? "#r" : "\"\"\"q\"\"\"", ",#a", i, ",#b",
                    i % 7, "\n");
  options_.links = directory_.Write("links.csv", text);
  const SplitSummary summary = SplitOrDie("split");
  const SplitPaths paths(directory_ / "split");
  EdgeListImportOptions import;
  for (const bool is_known : {true, false}) {
    import.train = paths.train;
    import.held_out = {paths.valid, paths.test};
    if (is_known) ReadAsSplit(/*has_weights=*/false, &import);
    const auto imported = ImportEdgeList(import);
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_THAT(imported->data.catalogue.relations,
                UnorderedElementsAre("#r", "\"q\""));
    EXPECT_EQ(imported->data.links.size(), summary.train);
    EXPECT_EQ(imported->held_out[1].size(),
              summary.test + summary.test_negatives);
    import = {};
  }
}

TEST_F(SplitFilesTest, WeightsKeepTheirDigits) {
  std::string text = "source,target,weight\n";
  for (int i = 0; i < 40; ++i)
    absl::StrAppend(&text, "a", i, ",b", i % 7, ",12345.678\n");
  options_.links = directory_.Write("weights.csv", text);
  SplitOrDie("split");
  EXPECT_THAT(*ReadFile(SplitPaths(directory_ / "split").train),
              HasSubstr("\t12345.678\n"));
}

// Reads the files as fit does, and as a person gives them.
TEST_F(SplitFilesTest, AnyKeysComeBack) {
  std::vector<std::string> rows = SomeRows(60);
  for (int i = 0; i < 20; ++i) {
    rows.push_back(absl::StrCat("source,knows,target,20", i + 10, "-01-01"));
    rows.push_back(absl::StrCat("source_,type,x", i, ",2001-01-01"));
    rows.push_back(
        absl::StrCat("\"  \"\"y\"\" ", i, "\",knows,target,2001-01-01"));
  }
  WriteLinks(rows);
  const SplitInput input = *ReadSplitInput(options_);
  const SplitSummary summary = SplitOrDie("split");
  const SplitPaths paths(directory_ / "split");
  for (const bool told : {false, true}) {
    EdgeListImportOptions import;
    import.train = paths.train;
    import.held_out = {paths.valid, paths.test};
    if (told) ReadAsSplit(summary.has_weights, &import);
    const auto imported = ImportEdgeList(import);
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_EQ(imported->data.links.size(), summary.train);
    std::set<std::string> keys;
    for (const NodeRecord& node : imported->data.catalogue.nodes)
      keys.insert(node.key);
    EXPECT_EQ(keys,
              std::set<std::string>(input.keys.begin(), input.keys.end()));
  }
}

TEST_F(SplitFilesTest, ARelationTooManyIsRefused) {
  std::vector<std::string> rows;
  for (int i = 0; i < 65535; ++i)
    rows.push_back(absl::StrCat("a,r", i, ",b,1"));
  rows.push_back("a,r7,c,1");
  rows.push_back("a,last,c,1");
  WriteLinks(rows);
  EXPECT_EQ(Error(),
            "links.csv:65538:3: the limit of 65535 relations is reached");
}

TEST_F(SplitFilesTest, TimesAreOfOneKind) {
  options_.rule = SplitRule::kTime;
  options_.links =
      directory_.Write("l", "from,to,date\na,b,2025-03-01\nb,c,2025\n");
  EXPECT_EQ(Error(),
            "l:3:5: the time \"2025\" is a number, and the times above are "
            "dates; write all times as numbers or all as dates");
  options_.links =
      directory_.Write("l", "from,to,date\na,b,2025\nb,c,2025-03\n");
  EXPECT_THAT(Error(), HasSubstr("l:3:5: the time \"2025-03\" is a date"));
}

TEST_F(SplitFilesTest, ASplitSaysWhatItDid) {
  WriteLinks(SomeRows(200));
  const SplitSummary summary = SplitOrDie("split");
  const std::string text =
      absl::StrJoin(DescribeSplit(options_, summary), "\n");
  EXPECT_THAT(text, HasSubstr("split at random by pairs of nodes (seed 1)"));
  EXPECT_THAT(text, HasSubstr(absl::StrCat("train ", summary.train, " links")));
  EXPECT_THAT(text, HasSubstr("figures of the relation say little: knows ("));
}

TEST_F(SplitFilesTest, ErrorsNameTheirPlace) {
  options_.rule = SplitRule::kTime;
  options_.links = directory_.Write("l", "from,to,date\na,b,2001\nb,c,soon\n");
  EXPECT_EQ(Error(),
            "l:3:5: bad time \"soon\": it must be a number, or a date such as "
            "2026-11-25 or 2026-11-25T10:30:00Z");
  options_.links = directory_.Write("l", "r a b\nr b c\n");
  EXPECT_THAT(Error(), HasSubstr("a split by time needs a column of times"));
  options_.rule = SplitRule::kRandom;
  options_.links = directory_.Write("l", "r a b\nr b c\nr a c\nr a d x\n");
  EXPECT_THAT(Error(), HasSubstr("l:4:7: extra column \"x\""));
  options_.links = directory_.Write("l", "label,from,to\n1,a,b\n0,b,c\n");
  EXPECT_THAT(Error(), HasSubstr("l:3:1: label 0"));
  options_.links = directory_.Write("l", "\n");
  EXPECT_EQ(Error(), "l:1:1: there is no link");
  options_.links = directory_.Write("l", "r a b\nr b c\n");
  options_.nodes = directory_.Write("nodes", "a\tkind\tA\nb\tkind\tB\n");
  EXPECT_THAT(Error(), HasSubstr("l:2:5: the key \"c\" is not in the node "
                                 "file "));
  options_.valid_share = 0.6;
  options_.test_share = 0.5;
  EXPECT_THAT(Error(), HasSubstr("0.6 and 0.5"));
}

TEST(LinkTimeTest, NumbersAndDatesAreTimes) {
  EXPECT_EQ(ParseLinkTime("1970-01-02"), 86400);
  EXPECT_EQ(ParseLinkTime("1970-01-01T01:00:00Z"), 3600);
  EXPECT_EQ(ParseLinkTime("1970-01-01 00:00:01.5"), 1.5);
  EXPECT_EQ(ParseLinkTime("2021"), 2021);
  EXPECT_EQ(ParseLinkTime("nan"), std::nullopt);
  EXPECT_EQ(ParseLinkTime("yesterday"), std::nullopt);
  EXPECT_EQ(ParseLinkTime(""), std::nullopt);
  LinkTimeKind kind = LinkTimeKind::kNumber;
  ParseLinkTime("2021-03", &kind);
  EXPECT_EQ(kind, LinkTimeKind::kDate);
  ParseLinkTime("2021", &kind);
  EXPECT_EQ(kind, LinkTimeKind::kNumber);
}

}  // namespace
}  // namespace slice
