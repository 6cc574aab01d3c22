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

TEST(InWordsOfFlagsTest, AnErrorNamesTheFlagAsTyped) {
  WhatIfFlags values;
  values.with_node = {"person:Ann"};
  values.without_node = {"Joe"};
  values.with = {"Ann knows Bob", "New York\tis in\tthe USA"};
  values.without = {"Bob knows Zoe"};
  WhatIfQuery query;
  query.added_nodes = {{"Ann", "person"}};
  query.removed_nodes = {{"Joe"}};
  query.added_links = {{{"Ann"}, "knows", {"Bob"}},
                       {{"New York"}, "is in", {"the USA"}}};
  query.removed_links = {{{"Bob"}, "knows", {"Zoe"}}};
  const auto words = [&](const absl::Status& error) {
    return std::string(InWordsOfFlags(values, query, error).message());
  };
  EXPECT_EQ(words(absl::NotFoundError(
                "what_if.changes[3].add_link.source: no node has the name")),
            "--with 'New York is in the USA': no node has the name; add it "
            "with --with-node 'New York'");
  EXPECT_EQ(words(absl::NotFoundError(
                "what_if.changes[4].remove_link.target: no node has the name")),
            "--without 'Bob knows Zoe': no node has the name");
  EXPECT_EQ(words(absl::InvalidArgumentError(
                "what_if.changes[1].remove_node: is changed by "
                "what_if.changes[0] as well")),
            "--without-node Joe: is changed by --with-node person:Ann as well");
  EXPECT_EQ(words(absl::NotFoundError("what_if.changes[9].add_link.target: x")),
            "another change: x");
}

}  // namespace
}  // namespace slice
