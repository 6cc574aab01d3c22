#include "trainer/methods/comparison/comparison.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"
#include "trainer/compare_command.h"
#include "trainer/methods/comparison/comparison_page.h"
#include "trainer/methods/comparison/comparison_text.h"
#include "trainer/methods/method_run.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two rings of twenty nodes each, with chords. Some of the chords are held out,
// half of them in valid and the others in test.
void WriteRings(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::string train, valid, test;
  const auto node = [](int ring, int i) {
    return "n" + std::to_string(20 * ring + i % 20);
  };
  for (int ring = 0; ring < 2; ++ring) {
    for (int i = 0; i < 20; ++i) {
      train += "near " + node(ring, i) + " " + node(ring, i + 1) + "\n";
      if (i % 5 != 0) {
        train += "near " + node(ring, i) + " " + node(ring, i + 2) + "\n";
        continue;
      }
      std::string& held_out = i % 10 == 0 ? valid : test;
      held_out += "near " + node(ring, i) + " " + node(ring, i + 2) + " 1\n";
      held_out +=
          "near " + node(ring, i) + " " + node(1 - ring, i + 7) + " 0\n";
    }
  }
  ASSERT_TRUE(WriteFileAtomically(folder / "train.txt", train).ok());
  ASSERT_TRUE(WriteFileAtomically(folder / "valid.txt", valid).ok());
  ASSERT_TRUE(WriteFileAtomically(folder / "test.txt", test).ok());
}

class ComparisonTest : public testing::Test {
 protected:
  void SetUp() override {
    WriteRings(directory_ / "sets" / "rings");
    options_.datasets = directory_ / "sets";
    options_.methods = {"common-neighbors", "node2vec"};
    options_.seeds = 2;
    options_.out = directory_ / "out";
    options_.threads = 1;
    options_.least_ranked_relations = 1;
  }

  TempDirectory directory_;
  ComparisonOptions options_;
};

TEST_F(ComparisonTest, EveryMethodGetsItsFigures) {
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  ASSERT_EQ(comparison->rows.size(), 2u);
  const ComparisonCell& neighbors = comparison->rows[0].cells[0];
  EXPECT_EQ(neighbors.error, "");
  EXPECT_EQ(neighbors.runs.size(),
            1u);  // it learns nothing, so one seed suffices
  EXPECT_EQ(neighbors.Over(&RunFigures::auroc).mean, 1);
  EXPECT_GT(neighbors.Over(&RunFigures::mrr).mean, 0.1);
  // As many questions ask for targets as for sources.
  EXPECT_NEAR(neighbors.Over(&RunFigures::mrr).mean,
              (neighbors.Over(&RunFigures::mrr_targets).mean +
               neighbors.Over(&RunFigures::mrr_sources).mean) /
                  2,
              1e-9);
  const ComparisonCell& node2vec = comparison->rows[1].cells[0];
  EXPECT_EQ(node2vec.runs.size(), 2u);
  const MeanDeviation auroc = node2vec.Over(&RunFigures::auroc);
  EXPECT_GT(auroc.mean, 0.8);
  EXPECT_FALSE(std::isnan(auroc.deviation));
}

TEST_F(ComparisonTest, TheTestFileIsMeasured) {
  options_.methods = {"common-neighbors"};
  const auto folder = options_.datasets / "rings";
  const auto auroc = [&] {
    std::filesystem::remove_all(options_.out);
    const auto comparison = Compare(options_);
    EXPECT_TRUE(comparison.ok()) << comparison.status();
    return comparison->rows[0].cells[0].Over(&RunFigures::auroc).mean;
  };
  const double before = auroc();
  // The link is a non-link here, and a non-link is a link.
  const std::string turned = "near n5 n7 0\nnear n5 n32 1\n";
  ASSERT_TRUE(WriteFileAtomically(folder / "valid.txt", turned).ok());
  EXPECT_EQ(auroc(), before);
  ASSERT_TRUE(WriteFileAtomically(folder / "test.txt", turned).ok());
  EXPECT_LT(auroc(), before);
}

// Methods have one output, so their reports must not speak of the outputs of
// slice.
TEST_F(ComparisonTest, ReportsOfMethodsDoNotMentionOutputsOfSlice) {
  ASSERT_TRUE(Compare(options_).ok());
  const std::string report =
      *ReadFile(options_.out / "rings" / "node2vec" / "seed-1" / "report.json");
  EXPECT_THAT(report, HasSubstr("The non-links of the test file."));
  EXPECT_THAT(report, Not(HasSubstr("slice answers")));
}

TEST_F(ComparisonTest, AFinishedRunIsNotRunAgain) {
  ASSERT_TRUE(Compare(options_).ok());
  const auto report =
      options_.out / "rings" / "node2vec" / "seed-2" / "report.json";
  const auto written = std::filesystem::last_write_time(report);
  std::filesystem::remove(options_.out / "rings" / "node2vec" / "seed-1" /
                          "report.json");
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_EQ(std::filesystem::last_write_time(report), written);
  EXPECT_TRUE(std::filesystem::exists(options_.out / "rings" / "node2vec" /
                                      "seed-1" / "report.json"));
}

TEST_F(ComparisonTest, ARunOfOtherParametersIsRunAgain) {
  ASSERT_TRUE(Compare(options_).ok());
  const auto report =
      options_.out / "rings" / "node2vec" / "seed-1" / "report.json";
  std::string json = *ReadFile(report);
  json.replace(json.find("dim=128"), 7, "dim=129");
  ASSERT_TRUE(WriteFileAtomically(report, json).ok());
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_THAT(*ReadFile(report), HasSubstr("dim=128"));
}

TEST_F(ComparisonTest, ARunOnOtherDataIsRunAgain) {
  ASSERT_TRUE(Compare(options_).ok());
  const auto train = options_.datasets / "rings" / "train.txt";
  ASSERT_TRUE(
      WriteFileAtomically(train, *ReadFile(train) + "near n0 n10\n").ok());
  const auto report =
      options_.out / "rings" / "node2vec" / "seed-1" / "report.json";
  const std::string before = *ReadFile(report);
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_NE(*ReadFile(report), before);
}

// A leaky run has the parameters and the data of an honest one.
TEST_F(ComparisonTest, ALeakyRunIsNeverTakenOver) {
  options_.seeds = 1;
  options_.methods = {"node2vec"};
  const std::filesystem::path out =
      options_.out / "rings" / "node2vec" / "seed-1";
  MethodRunOptions leaky;
  leaky.method = "node2vec";
  leaky.files.train = options_.datasets / "rings" / "train.txt";
  leaky.valid = options_.datasets / "rings" / "valid.txt";
  leaky.test = options_.datasets / "rings" / "test.txt";
  leaky.out = out;
  leaky.threads = 1;
  leaky.leaky = true;
  ASSERT_TRUE(RunMethod(leaky).ok());
  ASSERT_THAT(*ReadFile(out / "report.json"), HasSubstr("LEAKY"));
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_THAT(*ReadFile(out / "report.json"), Not(HasSubstr("LEAKY")));
  EXPECT_THAT(*ReadFile(out / "report.txt"), Not(HasSubstr("LEAKY")));
}

// A run that its budget cut short says nothing about a run with more time. A
// run that finished does.
TEST_F(ComparisonTest, ARunThatItsBudgetCutShortIsRunAgain) {
  options_.methods = {"gcn"};
  options_.seeds = 1;
  options_.budget = absl::Nanoseconds(1);
  ASSERT_TRUE(Compare(options_).ok());
  const auto report = options_.out / "rings" / "gcn" / "seed-1" / "report.json";
  const std::string cut = *ReadFile(report);
  options_.budget = absl::Minutes(30);
  ASSERT_TRUE(Compare(options_).ok());
  const std::string whole = *ReadFile(report);
  EXPECT_NE(whole, cut);
  options_.budget = absl::Minutes(40);
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_EQ(*ReadFile(report), whole);
  options_.budget = absl::Nanoseconds(1);
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_NE(*ReadFile(report), whole);
}

// A training ends before its budget does when one more epoch would exceed it.
// Its reason names less than the budget when a part was spent before, and may
// go on with what the method has to say.
TEST_F(ComparisonTest, ARunThatStoppedShortOfItsBudgetIsRunAgain) {
  options_.methods = {"gcn"};
  options_.seeds = 1;
  options_.budget = absl::Minutes(30);
  ASSERT_TRUE(RunCompare(options_, false).ok());
  auto json =
      nlohmann::json::parse(*ReadFile(options_.out / "comparison.json"));
  options_.from = directory_ / "earlier.json";
  const auto report = options_.out / "rings" / "gcn" / "seed-1" / "report.json";
  for (const std::string& stopped :
       {SpentBudgetText(absl::Minutes(30)), SpentBudgetText(absl::Minutes(25)),
        SpentBudgetText(absl::Minutes(30)) + "; attention 0.6 0.4"}) {
    json["sets"]["rings"]["gcn"]["runs"][0].at("stopped") = stopped;
    ASSERT_TRUE(WriteFileAtomically(options_.from, json.dump()).ok());
    std::filesystem::remove_all(options_.out);
    options_.budget = absl::Minutes(30);
    ASSERT_TRUE(Compare(options_).ok());
    EXPECT_FALSE(std::filesystem::exists(report));
    options_.budget = absl::Minutes(60);
    ASSERT_TRUE(Compare(options_).ok());
    EXPECT_TRUE(std::filesystem::exists(report));
  }
}

// Runs `method` with seed 1, and returns the comparison.json with these figures
// in the place of its own.
nlohmann::json WithFigures(const ComparisonOptions& options,
                           const nlohmann::json& figures) {
  EXPECT_TRUE(RunCompare(options, false).ok());
  auto json = nlohmann::json::parse(*ReadFile(options.out / "comparison.json"));
  std::filesystem::remove_all(options.out);
  for (auto& run : json["sets"]["rings"][options.methods[0]]["runs"]) {
    run.update(figures);
  }
  return json;
}

// Evaluation may take long, and no budget bounds it.
TEST_F(ComparisonTest, ABudgetIsHeldAgainstTheTimeOfTheTraining) {
  options_.methods = {"gcn"};
  options_.seeds = 1;
  const auto json =
      WithFigures(options_, {{"train_seconds", 600}, {"seconds", 1900}});
  options_.from = directory_ / "earlier.json";
  ASSERT_TRUE(WriteFileAtomically(options_.from, json.dump()).ok());
  const auto report = options_.out / "rings" / "gcn" / "seed-1" / "report.json";
  for (const int minutes : {20, 60}) {
    options_.budget = absl::Minutes(minutes);
    ASSERT_TRUE(Compare(options_).ok());
    EXPECT_FALSE(std::filesystem::exists(report)) << minutes;
  }
  options_.budget = absl::Minutes(9);
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_TRUE(std::filesystem::exists(report));
}

// The start of asp2vec has a quarter of the budget.
TEST_F(ComparisonTest, ARunIsTakenOverWhereEachOfItsPartsWasWithinItsBudget) {
  options_.methods = {"asp2vec"};
  options_.seeds = 1;
  const auto json = WithFigures(options_, {{"train_seconds", 600}});
  options_.from = directory_ / "earlier.json";
  ASSERT_TRUE(WriteFileAtomically(options_.from, json.dump()).ok());
  const auto report =
      options_.out / "rings" / "asp2vec" / "seed-1" / "report.json";
  options_.budget = absl::Minutes(20);
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_TRUE(std::filesystem::exists(report));
}

TEST_F(ComparisonTest, FinishedSeedsBehindALongOneStay) {
  options_.methods = {"gcn"};
  auto json = WithFigures(options_, nlohmann::json::object());
  options_.from = directory_ / "earlier.json";
  json["sets"]["rings"]["gcn"]["runs"][0]["seconds"] = 700;
  ASSERT_TRUE(WriteFileAtomically(options_.from, json.dump()).ok());
  options_.seeds = 3;
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  const ComparisonCell& cell = comparison->rows[0].cells[0];
  EXPECT_EQ(cell.runs.size(), 2u);
  EXPECT_TRUE(cell.fewer_seeds);
  EXPECT_FALSE(std::filesystem::exists(options_.out / "rings" / "gcn"));
}

TEST_F(ComparisonTest, AFailedSeedLeavesTheRunsOfOthers) {
  options_.methods = {"gcn"};
  options_.seeds = 3;
  const auto folder = options_.out / "rings" / "gcn";
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(WriteFileAtomically(folder / "seed-2", "in the way").ok());
  EXPECT_FALSE(RunCompare(options_, false).ok());
  const std::string text = *ReadFile(options_.out / "comparison.json");
  EXPECT_THAT(text, HasSubstr("\"error\":\"seed 2: cannot create"));
  options_.from = directory_ / "earlier.json";
  ASSERT_TRUE(WriteFileAtomically(options_.from, text).ok());
  std::filesystem::remove_all(options_.out);
  options_.table_only = true;
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  ASSERT_EQ(comparison->rows[0].cells[0].runs.size(), 1u);
  EXPECT_EQ(comparison->rows[0].cells[0].runs[0].seed, 1u);
}

// slice and structural train to their end, whatever the budget is.
TEST_F(ComparisonTest, APresetIsNotRunAgainForItsBudget) {
  options_.methods = {"structural"};
  options_.seeds = 1;
  options_.budget = absl::Minutes(30);
  ASSERT_TRUE(Compare(options_).ok());
  const auto report =
      options_.out / "rings" / "structural" / "seed-1" / "report.json";
  const auto written = std::filesystem::last_write_time(report);
  options_.budget = absl::Nanoseconds(1);
  ASSERT_TRUE(Compare(options_).ok());
  EXPECT_EQ(std::filesystem::last_write_time(report), written);
}

TEST_F(ComparisonTest, RunsOfAnEarlierComparisonAreTakenOver) {
  options_.labels = {{"commit", "one"}};
  ASSERT_TRUE(RunCompare(options_, false).ok());
  options_.from = directory_ / "earlier.json";
  std::filesystem::rename(options_.out / "comparison.json", options_.from);
  std::filesystem::remove_all(options_.out);
  options_.labels[0].value = "two";
  options_.seeds = 3;
  const auto again = Compare(options_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->rows[0].cells[0].error, "");
  EXPECT_FALSE(
      std::filesystem::exists(options_.out / "rings" / "common-neighbors"));
  EXPECT_GT(again->rows[0].cells[0].runs[0].mrr, 0.1);
  // The earlier comparison has no third seed.
  const std::vector<RunFigures>& runs = again->rows[1].cells[0].runs;
  ASSERT_EQ(runs.size(), 3u);
  // The page leads to the reports that lie beside it.
  const std::string html = ComparisonHtml(*again);
  EXPECT_THAT(html, Not(HasSubstr("node2vec/seed-2/report.html")));
  EXPECT_THAT(html, HasSubstr("<a href=\"rings/node2vec/seed-3/report.html\">"
                              "seed 3</a>"));
  EXPECT_EQ(runs[1].labels[0].value, "one");
  EXPECT_EQ(runs[2].labels[0].value, "two");
  EXPECT_FALSE(
      std::filesystem::exists(options_.out / "rings" / "node2vec" / "seed-2"));
  EXPECT_TRUE(
      std::filesystem::exists(options_.out / "rings" / "node2vec" / "seed-3"));
}

TEST_F(ComparisonTest, TableOnlyRunsNothing) {
  options_.methods = {"node2vec"};
  options_.seeds = 1;
  options_.budget = absl::Milliseconds(1);
  ASSERT_TRUE(RunCompare(options_, /*json=*/true).ok());
  options_.table_only = true;
  options_.methods = {"node2vec", "transe"};
  options_.seeds = 3;
  options_.budget = absl::Minutes(30);
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  const ComparisonCell& there = comparison->rows[0].cells[0];
  EXPECT_EQ(there.runs.size(), 1u);
  EXPECT_FALSE(there.fewer_seeds);
  EXPECT_THAT(comparison->rows[1].cells[0].error, HasSubstr("has not run"));
  EXPECT_FALSE(std::filesystem::exists(options_.out / "rings" / "transe"));
  EXPECT_TRUE(RunCompare(options_, /*json=*/true).ok());
}

TEST_F(ComparisonTest, AMalformedEarlierComparisonIsNamed) {
  options_.from = directory_ / "earlier.json";
  ASSERT_TRUE(WriteFileAtomically(options_.from, "{\"sets\": 3}").ok());
  const absl::Status status = Compare(options_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("earlier.json"));
}

TEST_F(ComparisonTest, FactsComeFromTheLabelsOfTheRuns) {
  options_.labels = {{"commit", "one"}, {"machine", "a desk"}};
  ASSERT_TRUE(Compare(options_).ok());
  std::filesystem::remove(options_.out / "rings" / "node2vec" / "seed-2" /
                          "report.json");
  options_.labels[0].value = "two";
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_EQ(comparison->facts[0], "commit: one; two");
  EXPECT_EQ(comparison->facts[1], "machine: a desk");
  // Runs that are taken over keep their labels when later runs have none.
  options_.labels = {};
  EXPECT_EQ(Compare(options_)->facts[0], "commit: one; two");
  EXPECT_EQ(comparison->rows[0].cells[0].runs[0].labels[0].value, "one");
}

TEST_F(ComparisonTest, PresetsOfFitAreRankedAmongAllNodesToo) {
  options_.methods = {"structural"};
  options_.seeds = 1;
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  const ComparisonCell& cell = comparison->rows[0].cells[0];
  EXPECT_EQ(cell.error, "");
  ASSERT_EQ(cell.runs.size(), 1u);
  EXPECT_GT(cell.runs[0].auroc, 0.7);
  EXPECT_GT(cell.runs[0].mrr, 0.1);
  EXPECT_THAT(cell.runs[0].parameters,
              HasSubstr("preset=fast own_pair_links=auto"));
  EXPECT_NEAR(cell.runs[0].mrr,
              (cell.runs[0].mrr_targets + cell.runs[0].mrr_sources) / 2, 1e-9);
}

TEST_F(ComparisonTest, TheCommandFailsAtItsEndWhenARunFailed) {
  ASSERT_TRUE(
      WriteFileAtomically(options_.datasets / "rings" / "train.txt", "one\n")
          .ok());
  const absl::Status status = RunCompare(options_, false);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("2 of 2 cells of the comparison failed; the first was "
                        "common-neighbors"));
  EXPECT_TRUE(std::filesystem::exists(options_.out / "comparison.html"));
}

TEST_F(ComparisonTest, AFailureFillsItsCellAndTheOtherRunsGoOn) {
  std::filesystem::create_directories(directory_ / "sets" / "broken");
  for (const char* name : {"train.txt", "valid.txt", "test.txt"}) {
    ASSERT_TRUE(
        WriteFileAtomically(directory_ / "sets" / "broken" / name, "one\n")
            .ok());
  }
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_THAT(comparison->rows[0].cells[0].error,
              HasSubstr("train.txt: a line of a link"));
  EXPECT_EQ(comparison->rows[0].cells[1].error, "");
  EXPECT_THAT(ComparisonMarkdown(*comparison),
              HasSubstr("train.txt: a line of a link"));
  EXPECT_THAT(ComparisonHtml(*comparison),
              HasSubstr("train.txt: a line of a link"));
}

TEST_F(ComparisonTest, AMethodNamedTwiceIsRunOnceWhateverItsCase) {
  options_.methods = {"Popularity", "popularity"};
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_EQ(comparison->rows.size(), 1u);
}

TEST_F(ComparisonTest, AFolderWithoutItsFilesIsLeftOut) {
  std::filesystem::create_directories(options_.datasets / "half");
  ASSERT_TRUE(
      WriteFileAtomically(options_.datasets / "half" / "train.txt", "a b c\n")
          .ok());
  const auto comparison = Compare(options_);
  ASSERT_TRUE(comparison.ok()) << comparison.status();
  EXPECT_THAT(comparison->sets, testing::ElementsAre("rings"));
}

TEST_F(ComparisonTest, UnknownSetsAndMethodsAreNamed) {
  options_.sets = {"squares"};
  EXPECT_THAT(std::string(Compare(options_).status().message()),
              HasSubstr("there are rings"));
  options_.sets = {};
  options_.methods = {"node3vec"};
  EXPECT_EQ(Compare(options_).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
