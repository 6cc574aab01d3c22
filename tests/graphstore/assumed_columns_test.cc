#include "graphstore/assumed_columns.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/split/split_input.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// `relations` relations between each of `sources` and `targets`, in part.
std::vector<Link> Links(uint32_t sources, uint32_t relations,
                        uint32_t targets) {
  std::vector<Link> links;
  for (uint32_t i = 0; i < 40 * (sources + relations + targets); ++i)
    links.push_back({i % sources, i % relations, 1000 + i % targets});
  return links;
}

TEST(AssumedColumnsTest, FarMoreRelationsThanEndsAreRefused) {
  EXPECT_TRUE(CheckAssumedColumns("f", Links(8, 31, 50)).ok());
  EXPECT_THAT(CheckAssumedColumns("f", Links(7, 31, 50)).message(),
              HasSubstr("f: the first column has 31 values and the second one "
                        "has 7, so the relation does not seem to come first. "
                        "Give --columns source,relation,target, or"));
  EXPECT_TRUE(CheckAssumedColumns("f", Links(50, 31, 8)).ok());
  EXPECT_THAT(CheckAssumedColumns("f", Links(50, 31, 7)).message(),
              HasSubstr("the third one has 7, so the relation does not seem to "
                        "come first. Give --columns source,target,relation"));
  EXPECT_TRUE(CheckAssumedColumns("f", Links(50, 1, 50)).ok());
}

TEST(AssumedColumnsTest, AFewLinksAreNeverRefused) {
  std::vector<Link> links = Links(1, 19, 50);
  links.resize(19);
  EXPECT_TRUE(CheckAssumedColumns("f", links).ok());
  EXPECT_TRUE(CheckAssumedColumns("f", {}).ok());
}

// The first rows of a sorted file do not tell that these are no relations.
class SortedFileTest : public testing::Test {
 protected:
  SortedFileTest() {
    std::string text;
    for (int user = 0; user < 30; ++user) {
      for (int item = 0; item < 20; ++item)
        absl::StrAppend(&text, "u", user, " likes i", user + item, "\n");
    }
    file_ = directory_.Write("links.txt", text);
  }

  absl::Status Import(const std::string& columns) {
    EdgeListImportOptions options;
    options.train = file_;
    if (!columns.empty()) options.columns = *LinkColumns::Parse(columns);
    return ImportEdgeList(options).status();
  }
  absl::Status Split(const std::string& columns) {
    SplitOptions options;
    options.links = file_;
    options.link_files.columns = columns;
    return ReadSplitInput(options).status();
  }

  const TempDirectory directory_;
  std::filesystem::path file_;
};

TEST_F(SortedFileTest, UsersAreNotTakenForRelations) {
  const auto refused =
      HasSubstr("the first column has 30 values and the second one has 1");
  EXPECT_THAT(Import("").message(), refused);
  EXPECT_THAT(Split("").message(), refused);
}

TEST_F(SortedFileTest, NamedColumnsAreTakenAtTheirWord) {
  for (const char* columns :
       {"source,relation,target", "relation,source,target"}) {
    EXPECT_TRUE(Import(columns).ok()) << columns;
    EXPECT_TRUE(Split(columns).ok()) << columns;
  }
}

}  // namespace
}  // namespace slice
