#include "server/access/call_log.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "common/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::SizeIs;
using Json = nlohmann::json;

class CallLogTest : public ::testing::Test {
 protected:
  std::unique_ptr<CallLog> Open(double share = 1) {
    auto log = CallLog::Open({.audit_file = directory_ / "audit",
                              .access_file = directory_ / "access",
                              .access_share = share},
                             Clock::Real());
    EXPECT_TRUE(log.ok()) << log.status();
    return *std::move(log);
  }

  std::vector<Json> Lines(const std::string& name) const {
    std::vector<Json> lines;
    const std::string text = *ReadFile(directory_ / name);
    for (const absl::string_view line :
         absl::StrSplit(text, '\n', absl::SkipEmpty())) {
      lines.push_back(Json::parse(line));
    }
    return lines;
  }

  const TempDirectory directory_;
};

TEST_F(CallLogTest, ACallGoesIntoItsFile) {
  const auto log = Open();
  log->Ended(
      {.method = "s/M", .identity = "shop", .peer = "ipv4:1", .trace = ""},
      {.code = 5, .took = absl::Milliseconds(3)});
  log->Ended({.method = "a/M", .audited = true}, {.took = absl::Seconds(1)});
  ASSERT_THAT(Lines("access"), SizeIs(1));
  const Json line = Lines("access")[0];
  EXPECT_EQ(line["method"], "s/M");
  EXPECT_EQ(line["identity"], "shop");
  EXPECT_EQ(line["code"], "NOT_FOUND");
  EXPECT_EQ(line["seconds"], .003);
  ASSERT_THAT(Lines("audit"), SizeIs(1));
  EXPECT_EQ(Lines("audit")[0]["method"], "a/M");
}

TEST_F(CallLogTest, WhatAModelAnsweredSaysWhichVersionAndWhatItsStagesTook) {
  const auto log = Open();
  const StageTime stages[] = {{"queue", absl::Milliseconds(1)},
                              {"model", absl::Milliseconds(2)}};
  log->Ended({.method = "s/M"}, {.model = "amazon@b1", .stages = stages});
  log->Ended({.method = "s/N"}, {});
  ASSERT_THAT(Lines("access"), SizeIs(2));
  const Json line = Lines("access")[0];
  EXPECT_EQ(line["model"], "amazon@b1");
  EXPECT_EQ(line["stages"], Json({{"queue", .001}, {"model", .002}}));
  EXPECT_FALSE(Lines("access")[1].contains("model"));
  EXPECT_FALSE(Lines("access")[1].contains("stages"));
}

TEST_F(CallLogTest, ARefusalNamesThePeer) {
  const auto log = Open();
  log->Refused("m", "shop", "10.0.0.7 port 5", absl::PermissionDeniedError(""));
  ASSERT_THAT(Lines("audit"), SizeIs(1));
  EXPECT_EQ(Lines("audit")[0]["peer"], "10.0.0.7 port 5");
}

TEST_F(CallLogTest, NoTextOfACallerEndsALine) {
  const auto log = Open();
  const std::string hostile =
      "a\n{\"event\":\"call\"}\x1b[2J\xff" + std::string(10000, 'x');
  log->Refused(hostile, hostile, hostile, absl::PermissionDeniedError(hostile));
  ASSERT_THAT(Lines("audit"), SizeIs(1));
  EXPECT_EQ(Lines("audit")[0]["event"], "refused");
}

TEST_F(CallLogTest, AFileThatWasRenamedIsOpenedAgain) {
  const auto log = Open();
  log->Ended({.method = "1", .audited = true}, {});
  std::filesystem::rename(directory_ / "audit", directory_ / "audit.1");
  log->Ended({.method = "2", .audited = true}, {});
  EXPECT_TRUE(log->Reopen().ok());
  log->Ended({.method = "3", .audited = true}, {});
  EXPECT_THAT(Lines("audit.1"), SizeIs(2));
  EXPECT_THAT(Lines("audit"), SizeIs(1));
}

TEST_F(CallLogTest, TheSampleHasItsShare) {
  const auto log = Open(.05);
  int sampled = 0;
  for (int i = 0; i < 10000; ++i) sampled += log->Samples();
  EXPECT_NEAR(sampled, 500, 5);
  const auto none = Open(0);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(none->Samples());
}

TEST_F(CallLogTest, AFolderThatIsMissingIsNamed) {
  const auto log =
      CallLog::Open({.audit_file = directory_ / "no/audit"}, Clock::Real());
  EXPECT_EQ(log.status().code(), absl::StatusCode::kNotFound);
}

TEST(TraceIdTest, IsThatOfATraceContext) {
  const std::string id = "4bf92f3577b34da6a3ce929d0e0e4736";
  EXPECT_EQ(TraceIdOf("00-" + id + "-00f067aa0ba902b7-01"), id);
  for (const char* wrong : {"", "00-", "00-4BF92F3577B34DA6A3CE929D0E0E4736-0",
                            "00-4bf92f3577b34da6a3ce929d0e0e473\n-0"}) {
    EXPECT_EQ(TraceIdOf(wrong), "") << wrong;
  }
}

}  // namespace
}  // namespace slice
