#include "trainer/fit/step_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(StepLogTest, AFinishedStepIsNotDoneAgain) {
  const TempDirectory directory;
  int runs = 0;
  const auto body = [&]() -> absl::StatusOr<Json> {
    return Json{{"runs", ++runs}};
  };
  for (int i = 0; i < 2; ++i) {
    StepLog log(directory.path(), 1);
    const auto summary = log.Run("embed", {"print"}, body);
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
  ASSERT_TRUE(log.Run("embed", {"a"}, give(1)).ok());
  EXPECT_EQ(*log.Run("embed", {"b"}, give(2)), 2);
}

TEST(StepLogTest, AFailedStepIsDoneAgain) {
  const TempDirectory directory;
  StepLog log(directory.path(), 1);
  const auto failed = log.Run("embed", {"a"}, []() -> absl::StatusOr<Json> {
    return absl::InternalError("no");
  });
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kInternal);
  const auto again = log.Run(
      "embed", {"a"}, []() -> absl::StatusOr<Json> { return Json("done"); });
  EXPECT_EQ(*again, "done");
}

TEST(StepLogTest, ABrokenRecordIsIgnored) {
  const TempDirectory directory;
  std::filesystem::create_directories(directory / "steps");
  directory.Write("steps/embed.json", "{\"fingerprint\": \"a\"");
  StepLog log(directory.path(), 1);
  EXPECT_EQ(*log.Run("embed", {"a"},
                     []() -> absl::StatusOr<Json> { return Json(7); }),
            7);
}

// Two steps that leave a file each; the second reads the file of the first.
class StepFilesTest : public ::testing::Test {
 protected:
  void Run() {
    StepLog log(directory_.path(), 2);
    ran_.clear();
    const auto leave = [this](const std::string& name) {
      return [this, name]() -> absl::StatusOr<Json> {
        ran_.push_back(name);
        directory_.Write(name + ".bin", "made by " + name);
        return Json{{"value", 12345}};
      };
    };
    for (const std::string name : {"embed", "train"}) {
      const auto summary = log.Run(name, {"print"}, leave(name));
      ASSERT_TRUE(summary.ok()) << summary.status();
      EXPECT_EQ((*summary)["value"], 12345);
    }
  }

  const TempDirectory directory_;
  std::vector<std::string> ran_;
};

TEST_F(StepFilesTest, AStepWhoseFileChangedIsDoneAgain) {
  Run();
  Run();
  EXPECT_THAT(ran_, IsEmpty());
  directory_.Write("embed.bin", "made by Embed");
  Run();
  EXPECT_THAT(ran_, ElementsAre("embed"));
  std::filesystem::remove(directory_ / "train.bin");
  Run();
  EXPECT_THAT(ran_, ElementsAre("train"));
  Run();
  EXPECT_THAT(ran_, IsEmpty());
}

// Whichever bit flips: a damaged record is never used, and never ends the
// program.
TEST_F(StepFilesTest, ADamagedRecordIsIgnored) {
  Run();
  const std::filesystem::path record = directory_ / "steps/train.json";
  const std::string text = *ReadFile(record);
  for (size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 7));
    directory_.Write("steps/train.json", damaged);
    Run();
    ASSERT_THAT(ran_, ElementsAre("train")) << at;
  }
}

// The same values in other characters: whoever wrote them, no step did.
TEST_F(StepFilesTest, ARecordInAnotherLayoutIsIgnored) {
  Run();
  const std::filesystem::path record = directory_ / "steps/train.json";
  directory_.Write("steps/train.json",
                   Json::parse(*ReadFile(record)).dump() + "\n");
  Run();
  EXPECT_THAT(ran_, ElementsAre("train"));
}

TEST(StepLogTest, SaysWhatChangedSinceTheRecord) {
  const TempDirectory directory;
  StepLog log(directory.path(), 1);
  const auto give = []() -> absl::StatusOr<Json> { return Json(1); };
  const auto run = [&](const StepFingerprint& fingerprint) {
    ::testing::internal::CaptureStderr();
    EXPECT_TRUE(log.Run("embed", fingerprint, give).ok());
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_THAT(run({"a", {{"--p", "1"}}}), Not(HasSubstr("runs again")));
  EXPECT_THAT(run({"a", {{"--p", "1"}}}), Not(HasSubstr("runs again")));
  EXPECT_THAT(run({"b", {{"--p", "2"}}}),
              HasSubstr("step embed runs again: --p was 1 and is 2"));
}

// A file that vanishes while the log lists the work directory, as when another
// program cleans it up, must not end the program.
TEST(StepLogTest, SurvivesFilesThatComeAndGo) {
  const TempDirectory directory;
  std::atomic<bool> done{false};
  std::jthread other([&] {
    for (int i = 0; !done; ++i) {
      const std::string name = absl::StrCat("folder/", i % 7, "/file");
      std::error_code error;
      fs::create_directories((directory / name).parent_path(), error);
      std::ofstream(directory / name) << i;
      fs::remove_all(directory / "folder", error);
    }
  });
  StepLog log(directory.path(), 1);
  for (int i = 0; i < 200; ++i) {
    const auto summary =
        log.Run("embed", {absl::StrCat(i)},
                []() -> absl::StatusOr<Json> { return Json(1); });
    // A file that vanished before its digest was taken is an error.
    EXPECT_TRUE(summary.ok() || absl::IsNotFound(summary.status()))
        << summary.status();
  }
  done = true;
}

}  // namespace
}  // namespace slice
