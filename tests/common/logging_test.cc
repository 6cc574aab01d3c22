#include "common/logging.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(LoggingTest, WritesFormattedLinesToStandardError) {
  testing::internal::CaptureStderr();
  LogInfo("loaded %d %s", 3, "nodes");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("loaded 3 nodes\n"));
  EXPECT_THAT(text, HasSubstr("info"));
}

TEST(LoggingTest, DropsLinesBelowTheLevel) {
  testing::internal::CaptureStderr();
  SetLogLevel(LogLevel::kError);
  LogWarning("not shown");
  LogError("shown");
  SetLogLevel(LogLevel::kInfo);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, Not(HasSubstr("not shown")));
  EXPECT_THAT(text, HasSubstr("shown"));
}

}  // namespace
}  // namespace slice
