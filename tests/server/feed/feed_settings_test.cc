#include "server/feed/feed_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/files.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(FeedSettingsTest, ReadsNamesAndValues) {
  const TempDirectory directory;
  const auto file = directory / "feed.conf";
  ASSERT_TRUE(WriteFileAtomically(
                  file, "# who we are\n\n user = slice \npassword=a = b\n")
                  .ok());
  const auto settings = ReadFeedSettings(file);
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_THAT(*settings, UnorderedElementsAre(Pair("user", "slice"),
                                              Pair("password", "a = b")));
  EXPECT_TRUE(ReadFeedSettings("")->empty());
}

TEST(FeedSettingsTest, AWrongLineIsNamedAndNotShown) {
  const TempDirectory directory;
  const auto file = directory / "feed.conf";
  ASSERT_TRUE(WriteFileAtomically(file, "user = slice\nsecret\n").ok());
  const auto settings = ReadFeedSettings(file);
  EXPECT_EQ(settings.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(settings.status().message()),
              HasSubstr("feed.conf:2: "));
  EXPECT_THAT(std::string(settings.status().message()),
              Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace slice
