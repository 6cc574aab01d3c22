#include "trainer/methods/method_run.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Runs with files that do not exist, so that every error here comes before the
// files are read.
absl::Status StatusOf(const MethodRunOptions& options) {
  return RunMethod(options).status();
}

TEST(RunMethodTest, ABundleOfAMethodWithoutDotProductIsRefusedAtOnce) {
  MethodRunOptions options;
  options.method = "transe";
  options.bundle = "/nowhere/bundle";
  const absl::Status status = StatusOf(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("transe gives no bundle"));
}

TEST(RunMethodTest, AVectorTooLongForABundleIsRefusedAtOnce) {
  MethodRunOptions options;
  options.method = "gcn";
  options.settings = {"dim=4096"};
  options.bundle = "/nowhere/bundle";
  EXPECT_THAT(std::string(StatusOf(options).message()),
              HasSubstr("at most 4095 numbers"));
}

TEST(RunMethodTest, OptionsOfOneMethodNeedItsName) {
  MethodRunOptions options;
  options.settings = {"dim=8"};
  EXPECT_EQ(StatusOf(options).code(), absl::StatusCode::kInvalidArgument);
  options.settings = {};
  options.rank_positives = 5;
  EXPECT_THAT(std::string(StatusOf(options).message()), HasSubstr("name it"));
}

TEST(RunMethodTest, APresetOfFitNeedsAFolderForItsBundle) {
  MethodRunOptions options;
  options.method = "structural";
  EXPECT_THAT(std::string(StatusOf(options).message()),
              HasSubstr("--out or --bundle"));
}

}  // namespace
}  // namespace slice
