// A comparison as JSON and as Markdown.
#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "trainer/methods/comparison.h"
#include "trainer/methods/paper_figures.h"

namespace slice {
namespace {

using Json = nlohmann::json;

Json ToJson(const MeanDeviation& value) {
  return {{"mean", value.mean},
          {"deviation", value.deviation},
          {"count", value.count}};
}

Json ToJson(const ComparisonCell& cell) {
  if (!cell.error.empty()) return {{"error", cell.error}};
  Json runs = Json::array();
  for (const RunFigures& run : cell.runs) runs.push_back(RunToJson(run));
  return {{"seeds", cell.seeds},
          {"runs", std::move(runs)},
          {"fewer_seeds", cell.fewer_seeds},
          {"parameters", cell.parameters},
          {"auroc", ToJson(cell.auroc)},
          {"average_precision", ToJson(cell.average_precision)},
          {"f1", ToJson(cell.f1)},
          {"typed_auroc", ToJson(cell.typed_auroc)},
          {"degree_matched_auroc", ToJson(cell.degree_matched_auroc)},
          {"mrr", ToJson(cell.mrr)},
          {"hits_1", ToJson(cell.hits_1)},
          {"hits_3", ToJson(cell.hits_3)},
          {"hits_10", ToJson(cell.hits_10)},
          {"seconds", ToJson(cell.seconds)},
          {"peak_mib", ToJson(cell.peak_mib)}};
}

// "99.75 ± 0.01"; without a deviation the mean alone, "-" without either.
std::string PercentText(const MeanDeviation& value) {
  if (std::isnan(value.mean)) return "-";
  if (std::isnan(value.deviation)) {
    return absl::StrFormat("%.2f", 100 * value.mean);
  }
  return absl::StrFormat("%.2f ± %.2f", 100 * value.mean,
                         100 * value.deviation);
}

std::string FractionText(const MeanDeviation& value) {
  return std::isnan(value.mean) ? "-" : absl::StrFormat("%.3f", value.mean);
}

std::string PaperText(const std::string& method, const std::string& set) {
  const auto paper = FindPaperFigures(method, set);
  if (!paper) return "-";
  return absl::StrFormat("%.2f / %.2f", paper->auroc, paper->f1);
}

std::string SeedText(const ComparisonCell& cell) {
  return absl::StrCat(cell.seeds, cell.fewer_seeds ? " (long runs)" : "");
}

bool IsRanked(const Comparison& comparison, size_t set) {
  for (const ComparisonRow& row : comparison.rows) {
    if (!std::isnan(row.cells[set].mrr.mean)) return true;
  }
  return false;
}

std::string RankingText(const ComparisonCell& cell) {
  return absl::StrCat(
      " | ", FractionText(cell.mrr), " | ", FractionText(cell.hits_1), " / ",
      FractionText(cell.hits_3), " / ", FractionText(cell.hits_10));
}

std::string CellText(const ComparisonRow& row, const std::string& set,
                     const ComparisonCell& cell, bool ranked) {
  std::string line = absl::StrCat("| ", row.title, " | ");
  if (!cell.error.empty()) {
    return absl::StrCat(line, cell.error, " |\n");
  }
  absl::StrAppend(&line, PercentText(cell.auroc), " | ",
                  PercentText(cell.average_precision), " | ",
                  PercentText(cell.f1), " | ", PercentText(cell.typed_auroc),
                  " | ", PercentText(cell.degree_matched_auroc),
                  ranked ? RankingText(cell) : "");
  absl::StrAppendFormat(&line, " | %.2f | %.0f | %s | %s |\n",
                        cell.seconds.mean / 60, cell.peak_mib.mean,
                        SeedText(cell), PaperText(row.method, set));
  return line;
}

std::string SetText(const Comparison& comparison, size_t set) {
  const bool ranked = IsRanked(comparison, set);
  std::string text = absl::StrCat(
      "## ", comparison.sets[set], "\n\n",
      "| method | AUROC | AUPR | F1 | type-matched AUROC | degree-matched "
      "AUROC |",
      ranked ? " MRR | Hits@1 / 3 / 10 |" : "",
      " minutes | peak MiB | seeds | paper (leaky): AUROC / F1 |\n|---|",
      ranked ? "---|---|" : "", "---|---|---|---|---|---|---|---|---|\n");
  for (const ComparisonRow& row : comparison.rows) {
    text += CellText(row, comparison.sets[set], row.cells[set], ranked);
  }
  return text + "\n";
}

}  // namespace

std::string ComparisonJson(const Comparison& comparison) {
  Json json = {{"facts", comparison.facts}, {"sets", Json::object()}};
  for (size_t set = 0; set < comparison.sets.size(); ++set) {
    Json& methods = json["sets"][comparison.sets[set]];
    methods = Json::object();
    for (const ComparisonRow& row : comparison.rows) {
      Json& cell = methods[row.method];
      cell = ToJson(row.cells[set]);
      const auto paper = FindPaperFigures(row.method, comparison.sets[set]);
      if (!paper) continue;
      cell["paper_leaky"] = {{"auroc", paper->auroc / 100},
                             {"f1", paper->f1 / 100}};
    }
  }
  return json.dump(2) + "\n";
}

std::string ComparisonMarkdown(const Comparison& comparison) {
  std::string text =
      "Percent, mean ± deviation over the seeds; the threshold of F1 is chosen "
      "on valid. Negatives: those of the test file; type-matched and "
      "degree-matched ones are redrawn among the nodes of the slot. MRR and "
      "Hits: filtered, among all nodes, both directions. The last column is "
      "the paper's own, which rests on test links that leaked into training.\n"
      "\n";
  for (const std::string& fact : comparison.facts) {
    absl::StrAppend(&text, "- ", fact, "\n");
  }
  text += "\n";
  for (size_t set = 0; set < comparison.sets.size(); ++set) {
    text += SetText(comparison, set);
  }
  return text;
}

}  // namespace slice
