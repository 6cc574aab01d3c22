#include "trainer/methods/method_run.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/trainer/planted_files.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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

TEST(RunMethodTest, ASettingThatWouldGiveABundleIsNamed) {
  const TempDirectory directory;
  MethodRunOptions options;
  options.bundle = directory / "bundle";
  for (const auto& [method, setting] :
       {std::pair("metapath2vec", "score=dot"),
        std::pair("asp2vec", "score=dot"), std::pair("hgt", "scorer=dot")}) {
    options.method = method;
    options.settings = {};
    EXPECT_THAT(std::string(StatusOf(options).message()),
                HasSubstr(absl::StrCat("add --set ", setting)));
    options.settings = {setting};
    EXPECT_THAT(std::string(StatusOf(options).message()),
                Not(HasSubstr("no bundle")));
  }
}

TEST(RunMethodTest, AVectorTooLongForABundleIsRefusedAtOnce) {
  MethodRunOptions options;
  options.method = "gcn";
  options.settings = {"dim=4096"};
  options.bundle = "/nowhere/bundle";
  EXPECT_THAT(std::string(StatusOf(options).message()),
              HasSubstr("at most 4095 numbers"));
  // The layers of a node stand one behind the other.
  options.method = "hgt";
  options.settings = {"scorer=dot", "output=all", "layers=8", "dim=1024"};
  EXPECT_THAT(std::string(StatusOf(options).message()),
              HasSubstr("dim is 1024 in each of 8 layers"));
}

TEST(RunMethodTest, OptionsOfOneMethodNeedItsName) {
  MethodRunOptions options;
  options.settings = {"dim=8"};
  EXPECT_EQ(StatusOf(options).code(), absl::StatusCode::kInvalidArgument);
  options.settings = {};
  options.rank_positives = 5;
  EXPECT_THAT(std::string(StatusOf(options).message()), HasSubstr("name it"));
  options.rank_positives = 0;
  options.leaky = true;
  EXPECT_THAT(std::string(StatusOf(options).message()), HasSubstr("name it"));
}

TEST(RunMethodTest, APresetOfFitNeedsAFolderForItsBundle) {
  MethodRunOptions options;
  options.method = "structural";
  EXPECT_THAT(std::string(StatusOf(options).message()),
              HasSubstr("--out or --bundle"));
}

TEST(RunMethodTest, ALeakyRunIsForMethodsThatLearnFromTheGraphThemselves) {
  MethodRunOptions options;
  options.leaky = true;
  for (const auto& [method, way_out] :
       {std::pair("popularity", "learns nothing"),
        std::pair("structural", "--preset paper-leaky"),
        std::pair("slice", "--preset paper-leaky")}) {
    options.method = method;
    const absl::Status status = StatusOf(options);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << method;
    EXPECT_THAT(std::string(status.message()), HasSubstr(way_out));
  }
}

TEST(RunMethodTest, ALeakyRunGivesNoBundle) {
  MethodRunOptions options;
  options.method = "node2vec";
  options.leaky = true;
  options.bundle = "/nowhere/bundle";
  const absl::Status status = StatusOf(options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("--leaky gives no bundle"));
}

// Links say nothing of each other here, so that only a leak can tell the test
// links from the others.
class LeakyRunTest : public ::testing::Test {
 protected:
  void SetUp() override { WriteRandomFiles(directory_); }

  TrainingReport Run(bool leaky) {
    MethodRunOptions options;
    options.method = "node2vec";
    options.settings = {"dim=16"};
    options.files.train = directory_.path() / "train.txt";
    options.valid = directory_.path() / "valid.txt";
    options.test = directory_.path() / "test.txt";
    options.out = out_;
    options.leaky = leaky;
    options.rank_positives = 5;
    options.threads = 1;
    auto report = RunMethod(options);
    EXPECT_TRUE(report.ok()) << report.status();
    return *std::move(report);
  }

  const TempDirectory directory_;
  const std::filesystem::path out_ = directory_.path() / "out";
};

TEST_F(LeakyRunTest, LearnsFromTheHeldOutLinks) {
  EXPECT_LT(Run(false).Overall().auroc, 0.6);
  EXPECT_GT(Run(true).Overall().auroc, 0.8);
}

// The non-links must be the same, so that the figures can be compared.
TEST_F(LeakyRunTest, IsMeasuredOnTheSameRows) {
  const TrainingReport honest = Run(false), leaky = Run(true);
  ASSERT_EQ(honest.results.size(), leaky.results.size());
  for (size_t i = 0; i < honest.results.size(); ++i) {
    const BinaryMetrics& one = honest.results[i].rows[0].metrics;
    const BinaryMetrics& other = leaky.results[i].rows[0].metrics;
    EXPECT_EQ(one.positives, other.positives) << honest.results[i].key;
    EXPECT_EQ(one.negatives, other.negatives) << honest.results[i].key;
  }
  EXPECT_EQ(honest.facts[1].value, leaky.facts[1].value);  // train links
}

TEST_F(LeakyRunTest, SaysLeakyWhereverAFigureIs) {
  const TrainingReport report = Run(true);
  EXPECT_TRUE(report.leaky);
  EXPECT_THAT(report.title, StartsWith("LEAKY: node2vec on "));
  for (const ResultTable& table : report.results) {
    EXPECT_EQ(table.rows[0].method, "node2vec (LEAKY)") << table.key;
  }
  for (const RankingRow& row : report.rankings.at(0).rows) {
    EXPECT_THAT(row.method, StartsWith("node2vec (LEAKY)"));
  }
  const auto json = nlohmann::json::parse(*ReadFile(out_ / "report.json"));
  EXPECT_EQ(json["leaky"], true);
  EXPECT_THAT(json["title"].get<std::string>(), StartsWith("LEAKY: "));
  const std::string text = *ReadFile(out_ / "report.txt");
  EXPECT_THAT(text, StartsWith("LEAKY: "));
  EXPECT_THAT(text, HasSubstr("  node2vec (LEAKY) "));
  EXPECT_THAT(text, Not(HasSubstr("  node2vec  ")));
  EXPECT_THAT(*ReadFile(out_ / "report.html"),
              HasSubstr("<h1>LEAKY: node2vec on "));
}

TEST_F(LeakyRunTest, LeavesNoVectorsNorScoresNorThoseOfAnEarlierRun) {
  constexpr const char* kFiles[] = {"embeddings.npy", "embeddings.keys",
                                    "test_scores.npy"};
  Run(false);
  for (const char* file : kFiles) {
    EXPECT_TRUE(std::filesystem::exists(out_ / file)) << file;
  }
  Run(true);
  for (const char* file : kFiles) {
    EXPECT_FALSE(std::filesystem::exists(out_ / file)) << file;
  }
  EXPECT_TRUE(std::filesystem::exists(out_ / "report.json"));
}

}  // namespace
}  // namespace slice
