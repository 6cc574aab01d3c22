#include "context/own_pair_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace slice {
namespace {

TEST(OwnPairLinks, ComeBackFromTheirNames) {
  for (const OwnPairLinks links :
       {OwnPairLinks::kHide, OwnPairLinks::kReveal, OwnPairLinks::kShow}) {
    const auto parsed = ParseOwnPairLinks(OwnPairLinksName(links));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, links);
  }
}

TEST(OwnPairLinks, RefuseOtherNamesAndListTheirs) {
  for (const std::string name : {"", "Hide", "hidden"}) {
    const auto parsed = ParseOwnPairLinks(name);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(parsed.status().message()),
                ::testing::HasSubstr("'" + name + "': use hide, reveal or"));
  }
}

}  // namespace
}  // namespace slice
