#include "trainer/methods/comparison/comparison_text.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "trainer/methods/comparison/comparison_page.h"
#include "trainer/methods/comparison/paper_figures.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// On a data set of the paper, its figures appear beside the measured ones,
// marked as leaky.
TEST(ComparisonPages, ShowThePapersFiguresAsLeaky) {
  Comparison comparison;
  comparison.sets = {"dblp"};
  ComparisonCell cell;
  cell.runs.resize(2);
  cell.runs[0].auroc = 0.64;
  cell.runs[1].auroc = 0.66;
  for (RunFigures& run : cell.runs) run.seconds = run.peak_mib = 60;
  comparison.rows = {{"node2vec", "node2vec", false, {cell}}};
  const std::string markdown = ComparisonMarkdown(comparison);
  EXPECT_THAT(markdown, HasSubstr("65.00 ± 1.41"));
  EXPECT_THAT(markdown, HasSubstr("93.87 / 86.71"));
  EXPECT_THAT(markdown, HasSubstr("printed in the paper"));
  const std::string html = ComparisonHtml(comparison);
  EXPECT_THAT(html, HasSubstr("node2vec: 65.00 ± 1.41"));
  EXPECT_THAT(html, HasSubstr("printed in the paper: 93.87"));
  EXPECT_THAT(html, HasSubstr("; ring: what the paper printed.</figcaption>"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  const auto json = nlohmann::json::parse(ComparisonJson(comparison));
  EXPECT_EQ(json["sets"]["dblp"]["node2vec"]["auroc"]["mean"], 0.65);
  EXPECT_NEAR(
      json["sets"]["dblp"]["node2vec"]["paper_leaky"]["auroc"].get<double>(),
      0.9387, 1e-12);
}

TEST(ComparisonPages, TellOutOfMemoryFromNoFigure) {
  EXPECT_TRUE(RanOutOfMemoryInPaper("hgt", "freebase"));
  EXPECT_FALSE(RanOutOfMemoryInPaper("hgt", "dblp"));
  EXPECT_FALSE(RanOutOfMemoryInPaper("complex", "freebase"));
  EXPECT_FALSE(RanOutOfMemoryInPaper("hgt", "umls"));
  ComparisonCell cell;
  cell.runs.resize(1);
  Comparison comparison;
  comparison.sets = {"freebase"};
  comparison.rows = {{"transe", "TransE", false, {cell}},
                     {"hgt", "HGT", false, {cell}},
                     {"complex", "ComplEx", false, {cell}}};
  const std::string markdown = ComparisonMarkdown(comparison);
  EXPECT_THAT(markdown, HasSubstr("48.18 / 47.78 |"));
  EXPECT_THAT(markdown, HasSubstr("| OOM |"));
  EXPECT_THAT(markdown, HasSubstr("| - |\n"));
}

TEST(ComparisonPages, SayWhereABudgetEndedATraining) {
  ComparisonCell whole, cut;
  whole.runs.resize(1);
  whole.runs[0].seconds = 90;
  whole.runs[0].stopped = "no better for 5 epochs";
  cut.runs.resize(2);
  cut.runs[0].seconds = cut.runs[1].seconds = 30;
  cut.runs[1].stopped = "the budget of 30s is spent";
  Comparison comparison;
  comparison.sets = {"ring"};
  comparison.rows = {{"gcn", "GCN", false, {whole}},
                     {"complex", "ComplEx", false, {cut}}};
  const std::string markdown = ComparisonMarkdown(comparison);
  EXPECT_THAT(markdown, HasSubstr("| 1.5 min |"));
  EXPECT_THAT(markdown, HasSubstr("| 30.0 s (budget) |"));
}

TEST(ComparisonJson, HasALineForEachMethodOfADataSet) {
  Comparison comparison;
  comparison.facts = {"threads: 2", "seeds: 3"};
  comparison.sets = {"dblp", "ring"};
  ComparisonCell cell;
  cell.runs.resize(2);
  comparison.rows = {{"gcn", "GCN", false, {cell, cell}},
                     {"node2vec", "node2vec", false, {cell, cell}}};
  const std::string text = ComparisonJson(comparison);
  std::vector<std::string> starts;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    starts.emplace_back(line.substr(0, 8));
  }
  EXPECT_THAT(starts, ElementsAre("{", "\"facts\":", "\"sets\": ", "\"dblp\": ",
                                  "\"gcn\": {", "\"node2ve", "},",
                                  "\"ring\": ", "\"gcn\": {", "\"node2ve", "}",
                                  "}", "}", ""));
  EXPECT_EQ(nlohmann::json::parse(text)["sets"]["ring"]["gcn"]["runs"].size(),
            2u);
}

}  // namespace
}  // namespace slice
