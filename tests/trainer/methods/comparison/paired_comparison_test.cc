#include "trainer/methods/comparison/paired_comparison.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/files.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"
#include "trainer/methods/comparison/comparison_text.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Scores in which links are higher than non-links by `edge` on average. Equal
// seeds give equal noise.
TestScores MakeScores(double edge, uint64_t seed) {
  Random random(seed);
  TestScores scores;
  for (int i = 0; i < 600; ++i) {
    scores.labels.push_back(i % 3 == 0 ? 1 : 0);
    scores.scores.push_back(
        static_cast<float>(random.Uniform() + edge * scores.labels.back()));
  }
  return scores;
}

TEST(ComparePairedTest, ARunIsNotAheadOfItself) {
  const std::vector<TestScores> runs = {MakeScores(0.3, 1)};
  const auto lead = ComparePaired(runs, runs, 1);
  ASSERT_TRUE(lead.has_value());
  EXPECT_EQ(lead->mean, 0);
  EXPECT_EQ(lead->low, 0);
  EXPECT_EQ(lead->high, 0);
}

TEST(ComparePairedTest, SeesADifferenceThatIsSmallerThanTheErrorOfEachAuroc) {
  const std::vector<TestScores> ours = {MakeScores(0.32, 1),
                                        MakeScores(0.3, 2)};
  const std::vector<TestScores> theirs = {MakeScores(0.3, 1),
                                          MakeScores(0.3, 2)};
  const auto lead = ComparePaired(ours, theirs, 1);
  ASSERT_TRUE(lead.has_value());
  EXPECT_EQ(lead->runs, 2u);
  double difference = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    difference += Auroc(ours[i].scores, ours[i].labels) / 2 -
                  Auroc(theirs[i].scores, theirs[i].labels) / 2;
  }
  EXPECT_NEAR(lead->mean, difference, 1e-12);
  EXPECT_GT(lead->low, 0);
  EXPECT_LT(lead->low, lead->mean);
  EXPECT_LT(lead->mean, lead->high);
  EXPECT_LT(lead->high, 0.02);  // the interval of one AUROC is .08 wide
  const auto back = ComparePaired(theirs, ours, 2);
  EXPECT_NEAR(back->mean, -lead->mean, 1e-12);
}

TEST(ComparePairedTest, RunsWithoutNoiseInCommonOverlap) {
  const auto lead =
      ComparePaired(std::vector<TestScores>{MakeScores(0.3, 1)},
                    std::vector<TestScores>{MakeScores(0.3, 2)}, 1);
  ASSERT_TRUE(lead.has_value());
  EXPECT_LT(lead->low, 0);
  EXPECT_GT(lead->high, 0);
}

TEST(ComparePairedTest, OtherRowsAreNotCompared) {
  TestScores other = MakeScores(0.3, 1);
  other.labels[0] = 0;
  const std::vector<TestScores> ours = {MakeScores(0.3, 1)};
  EXPECT_EQ(ComparePaired(ours, std::vector<TestScores>{other}, 1),
            std::nullopt);
  EXPECT_EQ(ComparePaired({}, {}, 1), std::nullopt);
  EXPECT_EQ(ComparePaired(ours, {}, 1), std::nullopt);
}

class AddLeadsTest : public testing::Test {
 protected:
  // Adds a method with one cell, whose runs leave these scores.
  void AddMethod(const std::string& method,
                 const std::vector<TestScores>& runs) {
    ComparisonRow row{method, method, false, {{}}};
    for (size_t i = 0; i < runs.size(); ++i) {
      RunFigures run;
      run.seed = i + 1;
      run.auroc = 0.9;
      run.page = "set/" + method + "/" + std::to_string(i) + "/report.html";
      const auto folder = (options_.out / run.page).parent_path();
      std::filesystem::create_directories(folder);
      ASSERT_TRUE(WriteTestScores(folder, runs[i]).ok());
      row.cells[0].runs.push_back(run);
    }
    comparison_.rows.push_back(row);
  }

  const TempDirectory directory_;
  ComparisonOptions options_ = {.out = directory_.path(), .threads = 1};
  Comparison comparison_ = {.sets = {"set"}, .rows = {}, .facts = {}};
};

TEST_F(AddLeadsTest, ComparesTheMeansOfAllRuns) {
  const std::vector<TestScores> weak = {MakeScores(0.1, 1), MakeScores(0.05, 2),
                                        MakeScores(0.15, 3)};
  AddMethod("weak", weak);
  AddMethod("slice", {MakeScores(0.5, 1)});
  AddLeads(options_, {}, comparison_);
  const auto lead = comparison_.rows[0].cells[0].lead_of_slice;
  ASSERT_TRUE(lead.has_value());
  EXPECT_EQ(lead->runs, 3u);
  const TestScores ours = MakeScores(0.5, 1);
  double mean = Auroc(ours.scores, ours.labels);
  for (const TestScores& theirs : weak) {
    mean -= Auroc(theirs.scores, theirs.labels) / 3;
  }
  EXPECT_NEAR(lead->mean, mean, 1e-12);
  EXPECT_GT(lead->low, 0);
  EXPECT_FALSE(comparison_.rows[1].cells[0].lead_of_slice.has_value());
  const std::string text = ComparisonMarkdown(comparison_);
  EXPECT_THAT(text, HasSubstr("| slice ahead by (AUROC) |"));
  EXPECT_THAT(text, HasSubstr("| weak | 90.00 ± 0.00 | - | - | - | - | +"));
  EXPECT_THAT(ComparisonJson(comparison_), HasSubstr("\"lead_of_slice\""));
}

TEST_F(AddLeadsTest, RunsWithoutScoresHaveNoLead) {
  AddMethod("weak", {MakeScores(0.1, 1)});
  AddMethod("slice", {MakeScores(0.3, 1)});
  std::filesystem::remove_all(directory_ / "set" / "weak");
  AddLeads(options_, {}, comparison_);
  EXPECT_EQ(comparison_.rows[0].cells[0].lead_of_slice, std::nullopt);
  EXPECT_THAT(ComparisonMarkdown(comparison_),
              Not(HasSubstr("| slice ahead by")));
}

// What ReadComparedCells() finds in the JSON of a comparison, by name.
std::vector<ComparedCell> Reread(const Comparison& comparison) {
  const TempDirectory directory;
  const auto path = directory / "comparison.json";
  EXPECT_TRUE(WriteFileAtomically(path, ComparisonJson(comparison)).ok());
  const auto cells = ReadComparedCells(path);
  EXPECT_TRUE(cells.ok()) << cells.status();
  return *cells;
}

TEST_F(AddLeadsTest, AnEarlierLeadIsTakenOverWithItsRuns) {
  AddMethod("weak", {MakeScores(0.1, 1)});
  AddMethod("slice", {MakeScores(0.3, 1)});
  AddLeads(options_, {}, comparison_);
  ComparisonCell& weak = comparison_.rows[0].cells[0];
  const auto lead = weak.lead_of_slice;
  ASSERT_TRUE(lead.has_value());
  const std::vector<ComparedCell> earlier = Reread(comparison_);
  std::filesystem::remove_all(directory_ / "set");

  weak.lead_of_slice = std::nullopt;
  weak.runs[0].auroc += 1e-7;  // repeated on another processor
  weak.runs.emplace_back().seed = 2;
  AddLeads(options_, earlier, comparison_);
  EXPECT_EQ(weak.lead_of_slice, lead);
}

TEST_F(AddLeadsTest, AnEarlierLeadOfOtherRunsIsDropped) {
  AddMethod("weak", {MakeScores(0.1, 1)});
  AddMethod("slice", {MakeScores(0.3, 1)});
  AddLeads(options_, {}, comparison_);
  const std::vector<ComparedCell> earlier = Reread(comparison_);
  std::filesystem::remove_all(directory_ / "set");
  for (const size_t row : {0, 1}) {
    Comparison changed = comparison_;
    std::optional<ScoreDifference>& lead =
        changed.rows[0].cells[0].lead_of_slice;
    lead = std::nullopt;
    changed.rows[row].cells[0].runs[0].parameters = "others";
    AddLeads(options_, earlier, changed);
    EXPECT_EQ(lead, std::nullopt) << changed.rows[row].method;
  }
  std::vector<ComparedCell> without_runs = earlier;
  without_runs[0].runs.clear();  // of slice
  Comparison again = comparison_;
  again.rows[0].cells[0].lead_of_slice = std::nullopt;
  AddLeads(options_, without_runs, again);
  EXPECT_EQ(again.rows[0].cells[0].lead_of_slice, std::nullopt);
}

TEST_F(AddLeadsTest, AnEarlierLeadOfMoreRunsOfSliceIsKept) {
  AddMethod("weak", {MakeScores(0.1, 1)});
  AddMethod("slice", {MakeScores(0.3, 1), MakeScores(0.3, 2)});
  AddLeads(options_, {}, comparison_);
  const std::optional<ScoreDifference> lead =
      comparison_.rows[0].cells[0].lead_of_slice;
  ASSERT_TRUE(lead.has_value());
  EXPECT_EQ(lead->our_runs, 2u);
  const std::vector<ComparedCell> earlier = Reread(comparison_);
  EXPECT_EQ(earlier[1].lead_of_slice, lead);
  std::filesystem::remove_all(directory_ / "set" / "slice" / "0");
  AddLeads(options_, earlier, comparison_);
  EXPECT_EQ(comparison_.rows[0].cells[0].lead_of_slice, lead);
}

TEST_F(AddLeadsTest, AnEarlierLeadOfMoreRunsIsKept) {
  AddMethod("weak", {MakeScores(0.1, 1)});
  AddMethod("slice", {MakeScores(0.3, 1)});
  std::vector<ComparedCell> earlier = Reread(comparison_);
  const std::optional<ScoreDifference>& lead =
      comparison_.rows[0].cells[0].lead_of_slice;
  for (const size_t runs : {1, 2}) {
    earlier[1].lead_of_slice = ScoreDifference{0.5, 0.4, 0.6, runs, 1};
    AddLeads(options_, earlier, comparison_);
    EXPECT_EQ(lead == earlier[1].lead_of_slice, runs > 1);
  }
}

}  // namespace
}  // namespace slice
