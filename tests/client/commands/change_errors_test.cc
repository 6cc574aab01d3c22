#include "client/commands/change_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

std::string Named(const absl::Status& error) {
  const absl::Status named = NameChanges(
      error, "changes", [](size_t i) { return absl::StrCat("line ", i); });
  EXPECT_EQ(named.code(), error.code());
  return std::string(named.message());
}

TEST(NameChangesTest, NamesTakeThePlaceOfPositions) {
  EXPECT_EQ(Named(absl::NotFoundError(
                "changes[12].add_link.target: no node has the key 'Zoe'")),
            "line 12: no node has the key 'Zoe'");
  EXPECT_EQ(Named(absl::InvalidArgumentError(
                "changes[1].remove_link: is changed by changes[0] as well")),
            "line 1: is changed by line 0 as well");
  EXPECT_EQ(Named(absl::InvalidArgumentError("changes[1]: says no change")),
            "line 1: says no change");
}

TEST(NameChangesTest, AWrongFieldIsNamed) {
  EXPECT_EQ(Named(absl::InvalidArgumentError(
                "changes[0].add_link.target.key: must not be empty")),
            "line 0, target.key: must not be empty");
  EXPECT_EQ(Named(absl::InvalidArgumentError(
                "changes[0].add_link.target: 'b' is removed by changes[1]")),
            "line 0, target: 'b' is removed by line 1");
}

TEST(NameChangesTest, OtherWordsStay) {
  for (const char* message :
       {"", "changes", "changes[", "changes[x].add_link: no",
        "changes: too big", "no node has the key 'changes[0]'",
        "the server is full"}) {
    EXPECT_EQ(Named(absl::NotFoundError(message)), message);
  }
}

TEST(NameChangesTest, WithoutANameTheReasonIsLeft) {
  const auto named = [](const absl::Status& error) {
    return std::string(
        NameChanges(error, "changes", [](size_t) { return ""; }).message());
  };
  EXPECT_EQ(named(absl::NotFoundError("changes[0].remove_node: no node 'x'")),
            "no node 'x'");
  EXPECT_EQ(named(absl::InvalidArgumentError(
                "changes[0].upsert_node.key: must not be empty")),
            "key: must not be empty");
}

TEST(UnknownEndTest, IsAnEndOfALinkToAdd) {
  const auto target = UnknownEndOf(
      absl::NotFoundError("what_if.changes[3].add_link.target: no node"),
      "what_if.changes");
  ASSERT_TRUE(target.has_value());
  EXPECT_EQ(target->position, 3u);
  EXPECT_FALSE(target->source);
  EXPECT_TRUE(
      UnknownEndOf(absl::NotFoundError("changes[0].add_link.source: no node"),
                   "changes")
          ->source);
}

TEST(UnknownEndTest, OtherErrorsHaveNone) {
  for (const absl::Status& error :
       {absl::NotFoundError("changes[0].remove_link.source: no node"),
        absl::NotFoundError("changes[0].remove_node: no node"),
        absl::NotFoundError("no model"),
        absl::FailedPreconditionError("changes[0].add_link.source: two nodes"),
        absl::OkStatus()}) {
    EXPECT_FALSE(UnknownEndOf(error, "changes").has_value()) << error;
  }
}

TEST(AddAdviceTest, StandsBeforeTheNamesThatAreSuggested) {
  EXPECT_EQ(AddAdvice(absl::NotFoundError("no node 'x'"), "add it").message(),
            "no node 'x'; add it");
  EXPECT_EQ(
      AddAdvice(absl::NotFoundError("no node 'x'; did you mean 'y'?"), "add it")
          .message(),
      "no node 'x'; add it; did you mean 'y'?");
}

TEST(ShellWordTest, IsQuotedWhereItMustBe) {
  EXPECT_EQ(ShellWord("role::devel-lib"), "role::devel-lib");
  EXPECT_EQ(ShellWord("Bob\tknows\tZoe"), "'Bob knows Zoe'");
  EXPECT_EQ(ShellWord("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace slice
