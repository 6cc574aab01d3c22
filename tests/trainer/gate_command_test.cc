// Trains small bundles on planted files and lets the gate compare them.
#include "trainer/gate_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/command/exit_status.h"
#include "common/files.h"
#include "common/random.h"
#include "tests/testing/temp_directory.h"
#include "tests/trainer/fit_options_in.h"
#include "tests/trainer/planted_files.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class GateCommandTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    directory_ = new TempDirectory;
    WritePlantedFiles(*directory_, 7);
    Train("current", 1);
    Train("again", 2);
    Spoil();
    Train("spoilt", 1);
  }
  static void TearDownTestSuite() { delete directory_; }

  static void Train(const std::string& out, uint64_t seed) {
    FitOptions options = FitOptionsIn(*directory_);
    ASSERT_TRUE(options.ApplyPreset("fast").ok());
    options.out = *directory_ / out;
    options.seed = seed;
    options.structural_epochs = 2;
    const absl::Status status = Fit(options);
    ASSERT_TRUE(status.ok()) << status;
  }

  // Deals the targets of half of the train links anew, so that they say
  // nothing.
  static void Spoil() {
    const std::string train = *ReadFile(*directory_ / "train.txt");
    std::vector<std::string> rows =
        absl::StrSplit(train, '\n', absl::SkipEmpty());
    Random random(3);
    for (size_t i = 0; i < rows.size(); i += 2) {
      std::vector<std::string> fields = absl::StrSplit(rows[i], ' ');
      fields[2] = absl::StrCat("n", random.Below(kPlantedNodes));
      rows[i] = absl::StrJoin(fields, " ");
    }
    directory_->Write("train.txt", absl::StrJoin(rows, "\n"));
    // A made-up link may be a held-out one.
    for (const char* file : {"valid.txt", "test.txt"}) {
      std::vector<std::string> kept;
      const std::string text = *ReadFile(*directory_ / file);
      for (const absl::string_view row :
           absl::StrSplit(text, '\n', absl::SkipEmpty())) {
        const std::vector<std::string> fields = absl::StrSplit(row, ' ');
        const std::string link =
            absl::StrCat(fields[0], " ", fields[1], " ", fields[2]);
        if (std::find(rows.begin(), rows.end(), link) == rows.end()) {
          kept.emplace_back(row);
        }
      }
      directory_->Write(file, absl::StrJoin(kept, "\n"));
    }
  }

  static GateOptions Options(const std::string& candidate) {
    GateOptions options;
    options.current = *directory_ / "current";
    options.candidate = *directory_ / candidate;
    options.test.path = (*directory_ / "test.txt").string();
    options.threads = 1;
    return options;
  }

  static TempDirectory* directory_;
  std::ostringstream out_;
};
TempDirectory* GateCommandTest::directory_ = nullptr;

TEST_F(GateCommandTest, TheSameBundleMayReplaceItself) {
  const absl::Status status = RunGate(Options("current"), out_);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(out_.str(), HasSubstr("may replace"));
  EXPECT_THAT(out_.str(), HasSubstr("+0.0000"));
}

TEST_F(GateCommandTest, AnotherSeedPasses) {
  const absl::Status status = RunGate(Options("again"), out_);
  EXPECT_TRUE(status.ok()) << status << out_.str();
}

TEST_F(GateCommandTest, ABundleOfSpoiltLinksIsRefused) {
  GateOptions options = Options("spoilt");
  options.json = true;
  const absl::Status status = RunGate(options, out_);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(status.message(), HasSubstr("--margin"));
  const auto json = nlohmann::json::parse(out_.str());
  EXPECT_EQ(json["verdict"], "worse");
  const nlohmann::json& overall = json["figures"][0];
  EXPECT_TRUE(overall["relation"].is_null());
  EXPECT_GT(overall["current"].get<double>(), overall["candidate"]);
  EXPECT_LT(overall["high"], 0);
  EXPECT_TRUE(overall["worse"]);
}

TEST_F(GateCommandTest, PositivesAloneAreCompared) {
  const std::string text = *ReadFile(*directory_ / "test.txt");
  std::string positives;
  for (const absl::string_view row : absl::StrSplit(text, '\n')) {
    if (absl::EndsWith(row, " 1")) {
      absl::StrAppend(&positives, row.substr(0, row.size() - 2), "\n");
    }
  }
  directory_->Write("positives.txt", positives);
  GateOptions options = Options("spoilt");
  options.test.path = (*directory_ / "positives.txt").string();
  const absl::Status status = RunGate(options, out_);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(out_.str(), HasSubstr("non-links drawn"));
}

// Links enough, but hardly a non-link, and no ranks.
TEST_F(GateCommandTest, WithoutAMeasureThereIsNoVerdict) {
  const std::string text = *ReadFile(*directory_ / "test.txt");
  std::string rows;
  int non_links = 0;
  for (const absl::string_view row : absl::StrSplit(text, '\n')) {
    if (absl::EndsWith(row, " 1") ||
        (absl::EndsWith(row, " 0") && ++non_links == 1)) {
      absl::StrAppend(&rows, row, "\n");
    }
  }
  directory_->Write("unbalanced.txt", rows);
  GateOptions options = Options("spoilt");
  options.test.path = (*directory_ / "unbalanced.txt").string();
  options.ranking = 0;
  const absl::Status status = RunGate(options, out_);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ExitStatusOf(status), 3);
  EXPECT_THAT(status.message(), HasSubstr("nothing can be compared: AUROC"));
  EXPECT_EQ(out_.str(), "");
  // Ranks alone give a verdict, which says what it does not rest on.
  options.ranking = 500;
  options.json = true;
  EXPECT_NE(RunGate(options, out_).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(nlohmann::json::parse(out_.str())["notes"][0].get<std::string>(),
              HasSubstr("AUROC is not compared"));
}

TEST_F(GateCommandTest, TooFewNewLinksAreNoVerdict) {
  GateOptions options = Options("again");
  options.verdict.least_links = 1000;
  const absl::Status status = RunGate(options, out_);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ExitStatusOf(status), 3);
  EXPECT_THAT(status.message(), HasSubstr("--least-links"));
  EXPECT_EQ(out_.str(), "");
}

}  // namespace
}  // namespace slice
