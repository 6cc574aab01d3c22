#include "client/commands/what_if_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kRelations = {"depends", "is part of", "of"};

void ExpectLink(const std::string& text, const LinkQuery& expected) {
  const auto link = ParseLink(text, /*exact_keys=*/true, kRelations);
  ASSERT_TRUE(link.ok()) << text << ": " << link.status();
  EXPECT_EQ(link->source.text, expected.source.text) << text;
  EXPECT_EQ(link->relation, expected.relation) << text;
  EXPECT_EQ(link->target.text, expected.target.text) << text;
  EXPECT_TRUE(link->source.exact_key && link->target.exact_key);
}

void ExpectNoLink(const std::string& text, const std::string& why) {
  const absl::Status status = ParseLink(text, false, kRelations).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  EXPECT_THAT(std::string(status.message()), HasSubstr(why));
}

TEST(ParseLinkTest, CutsAtTabsOrBlanks) {
  ExpectLink("curl depends zlib1g", {{"curl"}, "depends", {"zlib1g"}});
  ExpectLink("  curl  depends zlib1g ", {{"curl"}, "depends", {"zlib1g"}});
  // Three words need no known relation.
  ExpectLink("curl suggests zlib1g", {{"curl"}, "suggests", {"zlib1g"}});
  ExpectLink("New York\tis part of\tthe USA",
             {{"New York"}, "is part of", {"the USA"}});
}

TEST(ParseLinkTest, FindsTheRelationBetweenTheWords) {
  ExpectLink("New York depends Rome", {{"New York"}, "depends", {"Rome"}});
  ExpectNoLink("New York likes Rome", "names no relation of the graph");
  // "is part of" and "of" both fit.
  ExpectNoLink("New York is part of Rome", "can be read in several ways");
}

TEST(ParseLinkTest, SaysHowToWriteALink) {
  ExpectNoLink("", "has fewer than three parts");
  ExpectNoLink("curl depends", "has fewer than three parts");
  ExpectNoLink("a\tb\tc\td", "has more than three parts");
  ExpectNoLink("curl depends", "write SOURCE RELATION TARGET, with tabs");
}

}  // namespace
}  // namespace slice
