#include "trainer/step_log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using Json = nlohmann::json;

TEST(StepLogTest, AFinishedStepIsNotDoneAgain) {
  const TempDirectory directory;
  int runs = 0;
  const auto body = [&]() -> absl::StatusOr<Json> {
    return Json{{"runs", ++runs}};
  };
  for (int i = 0; i < 2; ++i) {
    StepLog log(directory.path(), 1);
    const auto summary = log.Run("embed", "print", body);
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_EQ((*summary)["runs"], 1);
    ASSERT_EQ(log.times().size(), 1u);
    EXPECT_EQ(log.times()[0].step, "embed");
    EXPECT_GT(log.times()[0].peak_mib, 0);
  }
  EXPECT_EQ(runs, 1);
}

TEST(StepLogTest, AnotherFingerprintDoesItAgain) {
  const TempDirectory directory;
  StepLog log(directory.path(), 2);
  const auto give = [](int value) {
    return [value]() -> absl::StatusOr<Json> { return Json(value); };
  };
  ASSERT_TRUE(log.Run("embed", "a", give(1)).ok());
  EXPECT_EQ(*log.Run("embed", "b", give(2)), 2);
}

TEST(StepLogTest, AFailedStepIsDoneAgain) {
  const TempDirectory directory;
  StepLog log(directory.path(), 1);
  const auto failed = log.Run("embed", "a", []() -> absl::StatusOr<Json> {
    return absl::InternalError("no");
  });
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kInternal);
  const auto again = log.Run(
      "embed", "a", []() -> absl::StatusOr<Json> { return Json("done"); });
  EXPECT_EQ(*again, "done");
}

TEST(StepLogTest, ABrokenRecordIsIgnored) {
  const TempDirectory directory;
  std::filesystem::create_directories(directory / "steps");
  directory.Write("steps/embed.json", "{\"fingerprint\": \"a\"");
  StepLog log(directory.path(), 1);
  EXPECT_EQ(
      *log.Run("embed", "a", []() -> absl::StatusOr<Json> { return Json(7); }),
      7);
}

TEST(StepFingerprintTest, DependsOnEverything) {
  const std::string print = StepFingerprint("a", {"x"}, {{"k", 1}});
  EXPECT_EQ(print, StepFingerprint("a", {"x"}, {{"k", 1}}));
  EXPECT_NE(print, StepFingerprint("b", {"x"}, {{"k", 1}}));
  EXPECT_NE(print, StepFingerprint("a", {"y"}, {{"k", 1}}));
  EXPECT_NE(print, StepFingerprint("a", {"x"}, {{"k", 2}}));
}

}  // namespace
}  // namespace slice
