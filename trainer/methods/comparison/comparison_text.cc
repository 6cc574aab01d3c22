// comparison.json holds "facts" (the lines above the tables) and "sets", an
// object by data set and then by method. A cell holds "runs", "fewer_seeds" and
// for each figure {"mean", "deviation", "count"}; or, where a run failed,
// "error" in their place or beside what other seeds have. "lead_of_slice" is
// the AUROC of slice less that of the method, with its 95 % interval and the
// runs that it is of, where it was measured. "paper_leaky" holds the figures of
// the paper, as fractions. Figures that were not measured are null.
// ReadComparedCells() (trainer/methods/comparison/comparison_runs.h) reads the
// runs and leads back.
//
// The Markdown has the legend, the facts, a table per data set and the
// parameters of each method.
#include "trainer/methods/comparison/comparison_text.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "trainer/methods/comparison/comparison_table.h"
#include "trainer/methods/comparison/paper_figures.h"

namespace slice {
namespace {

using Json = nlohmann::json;

Json ToJson(const MeanDeviation& value) {
  return {{"mean", value.mean},
          {"deviation", value.deviation},
          {"count", value.count}};
}

Json ToJson(const ComparisonCell& cell) {
  if (cell.runs.empty()) return {{"error", cell.error}};
  Json runs = Json::array();
  for (const RunFigures& run : cell.runs) runs.push_back(RunToJson(run));
  Json json = {{"runs", std::move(runs)}, {"fewer_seeds", cell.fewer_seeds}};
  for (const auto& [name, figure] : AllFigures()) {
    json[name] = ToJson(cell.Over(figure));
  }
  if (!cell.error.empty()) json["error"] = cell.error;
  if (cell.lead_of_slice) {
    json["lead_of_slice"] = DifferenceToJson(*cell.lead_of_slice);
  }
  return json;
}

// Writes the members of `json` and of its objects, down to `levels` levels, on
// lines of their own. Everything deeper stays on one line.
void AppendLines(const Json& json, int levels, std::string& text) {
  if (levels == 0 || !json.is_object() || json.empty()) {
    text += json.dump();
    return;
  }
  const char* before = "{\n";
  for (const auto& [name, member] : json.items()) {
    absl::StrAppend(&text, before, Json(name).dump(), ": ");
    AppendLines(member, levels - 1, text);
    before = ",\n";
  }
  text += "\n}";
}

std::string Line(const std::vector<std::string>& values) {
  return absl::StrCat("| ", absl::StrJoin(values, " | "), " |\n");
}

std::string SetText(const Comparison& comparison, size_t set) {
  const ComparisonTable table = TableOf(comparison, set);
  const size_t columns = table.columns.size();
  std::string text =
      absl::StrCat("## ", comparison.sets[set], "\n\n", Line(table.columns),
                   Line(std::vector<std::string>(columns, "---")));
  for (const ComparisonTableRow& row : table.rows) {
    std::vector<std::string> values = row.values;
    if (!row.error.empty()) values.push_back("failed: " + row.error);
    values.resize(columns);
    text += Line(values);
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
  // Three levels: sets, data set, method.
  std::string text;
  AppendLines(json, /*levels=*/3, text);
  return text + "\n";
}

std::string ComparisonMarkdown(const Comparison& comparison) {
  std::string text = absl::StrCat(ComparisonLegend(), "\n\n");
  for (const std::string& fact : comparison.facts) {
    absl::StrAppend(&text, "- ", fact, "\n");
  }
  text += "\n";
  for (size_t set = 0; set < comparison.sets.size(); ++set) {
    text += SetText(comparison, set);
  }
  const std::vector<std::string> parameters = ParameterLines(comparison);
  if (!parameters.empty()) text += "## Parameters\n\n";
  for (const std::string& line : parameters) {
    absl::StrAppend(&text, "- ", line, "\n");
  }
  return text;
}

}  // namespace slice
