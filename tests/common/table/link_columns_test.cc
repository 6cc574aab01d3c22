#include "common/table/link_columns.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

TEST(LinkColumnsTest, AListIsKeptAsItWasGiven) {
  const auto columns =
      LinkColumns::Parse("weight,_,target,label,source,relation");
  ASSERT_TRUE(columns.ok()) << columns.status();
  EXPECT_EQ(columns->ToString(), "weight,_,target,label,source,relation");
  EXPECT_EQ(columns->source(), 4);
  EXPECT_EQ(columns->target(), 2);
  EXPECT_EQ(columns->relation(), 5);
  EXPECT_EQ(columns->label(), 3);
  EXPECT_EQ(columns->weight(), 0);
  EXPECT_EQ(LinkColumns().ToString(), "relation,source,target");
}

TEST(LinkColumnsTest, WrongListsAreNamed) {
  const struct {
    const char* list;
    const char* message;
  } cases[] = {{"relation,source", "lack target"},
               {"target", "lack source"},
               {"source,target,source", "name source twice"},
               {"source,target,when", "\"when\" in the columns"},
               {"source,,target", "\"\" in the columns"},
               {"", "\"\" in the columns"}};
  for (const auto& test_case : cases) {
    const auto columns = LinkColumns::Parse(test_case.list);
    EXPECT_EQ(columns.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(columns.status().message()),
                HasSubstr(test_case.message));
  }
}

TEST(LinkColumnsTest, OptionalLabelComesLastUnlessThereIsALabel) {
  const LinkColumns columns = LinkColumns().WithOptionalLabel();
  EXPECT_EQ(columns.label(), 3);
  EXPECT_TRUE(columns.label_is_optional());
  const LinkColumns labelled = *LinkColumns::Parse("label,source,target");
  EXPECT_EQ(labelled.WithOptionalLabel(), labelled);
}

}  // namespace
}  // namespace slice
