#include "client/edit_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<GraphEdit> Parse(const std::string& text) {
  const auto file = ParseEdits("f", text);
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? file->edits : std::vector<GraphEdit>();
}

void ExpectRefused(const std::string& text, const std::string& message) {
  const absl::Status status = ParseEdits("f", text).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  EXPECT_THAT(std::string(status.message()), HasSubstr(message));
}

TEST(EditFileTest, ReadsAllKindsOfChanges) {
  const auto edits = Parse(
      "# a comment\n"
      "+\ta b\tdepends\tc\n"
      "+\ta\tdepends\tc\t2.5\r\n"
      "\n"
      "-\ta\tdepends\tc\n"
      "+node\tk\tpackage\tA name\n"
      "+node\tk\n"
      "-node\tk\n");
  ASSERT_EQ(edits.size(), 6);
  EXPECT_EQ(edits[0].source, "a b");
  EXPECT_EQ(ParseEdits("f", "# c\n\n-node\ta\n")->lines,
            (std::vector<uint64_t>{3}));
  EXPECT_EQ(edits[1].weight, 2.5f);
  EXPECT_EQ(edits[2].kind, GraphEditKind::kRemoveLink);
  EXPECT_EQ(edits[3].type, "package");
  EXPECT_EQ(edits[3].name, "A name");
  EXPECT_EQ(edits[4].kind, GraphEditKind::kUpsertNode);
  EXPECT_EQ(edits[5].kind, GraphEditKind::kRemoveNode);
}

TEST(EditFileTest, NamesTheLineThatIsWrong) {
  ExpectRefused("", "f: the file holds no change");
  ExpectRefused("+ a b c\n", "f:1:1: \"+ a b c\" is none of +, -");
  ExpectRefused("+\ta\tb\n", "f:1:");
  ExpectRefused("+\ta\tb\tc\n*\ta\tb\tc\n", "f:2:1: \"*\" is none of");
  ExpectRefused("+\ta\tb\tc\t-1\n", "the weight \"-1\" is not above 0");
  ExpectRefused("-\ta\tb\tc\t1\n", "f:1:");
  ExpectRefused("+\t\tb\tc\n", "f:1:3: ");
  ExpectRefused("-node\tk\tpackage\n", "f:1:");
}

TEST(EditFileTest, ABatchEndsBeforeAChangeThatContradictsIt) {
  const auto sizes = [](const std::string& text, size_t most = 100) {
    return BatchSizes(Parse(text), most);
  };
  EXPECT_THAT(sizes("+\ta\tr\tb\n+\tb\tr\ta\n"), ElementsAre(2));
  EXPECT_THAT(sizes("+\ta\tr\tb\n-\ta\tr\tb\n"), ElementsAre(1, 1));
  EXPECT_THAT(sizes("+\ta\tr\tb\n-node\ta\n"), ElementsAre(1, 1));
  EXPECT_THAT(sizes("-node\ta\n+\ta\tr\tb\n"), ElementsAre(1, 1));
  EXPECT_THAT(sizes("+node\ta\n+\ta\tr\tb\n+node\ta\n"), ElementsAre(2, 1));
  EXPECT_THAT(sizes("-node\ta\n+node\ta\n"), ElementsAre(1, 1));
  EXPECT_THAT(sizes("+\ta\tr\tb\n+\ta\tr\tc\n+\ta\tr\td\n", 2),
              ElementsAre(2, 1));
}

}  // namespace
}  // namespace slice
