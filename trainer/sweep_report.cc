// The results of a sweep as JSON, as a table and as a page. The page has the
// table of cells and, for each flag with several values, two charts over these
// values: the best AUROC, and the mean time of a cell.
#include "trainer/sweep_report.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/page/svg_chart.h"
#include "common/progress.h"
#include "trainer/report/page_blocks.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// The cells with one value of a flag: their best AUROCs and the sum of their
// times.
struct ValueResult {
  double plausible = 0, among_kind = 0;
  double seconds = 0;
  int cells = 0;
};
using ByValue = std::vector<std::pair<std::string, ValueResult>>;

// Groups the cells by their value of one flag. The groups are in this order:
// numbers ascending, other values by first appearance.
ByValue GroupByValue(const std::vector<SweepResult>& results, size_t axis) {
  ByValue groups;
  for (const SweepResult& result : results) {
    const std::string& value = result.cell[axis].second;
    auto found = std::find_if(groups.begin(), groups.end(), [&](auto& group) {
      return group.first == value;
    });
    if (found == groups.end()) {
      groups.push_back({value, {}});
      found = groups.end() - 1;
    }
    ValueResult& group = found->second;
    group.plausible = std::max(group.plausible, result.measure.plausible_auroc);
    group.among_kind =
        std::max(group.among_kind, result.measure.among_kind_auroc);
    group.seconds += result.measure.seconds;
    ++group.cells;
  }
  std::stable_sort(groups.begin(), groups.end(), [](auto& a, auto& b) {
    double x = 0, y = 0;
    return absl::SimpleAtod(a.first, &x) && absl::SimpleAtod(b.first, &y) &&
           x < y;
  });
  return groups;
}

// Values are drawn at equal distances, since they often grow by factors.
std::string AurocChart(const std::string& flag, const ByValue& groups) {
  std::vector<ChartSeries> series = {{"plausible among all pairs", {}, true},
                                     {"right among its kind", {}, true}};
  std::vector<std::string> labels;
  for (const auto& [value, group] : groups) {
    const auto x = static_cast<double>(labels.size());
    series[0].points.push_back({x, 100 * group.plausible});
    series[1].points.push_back({x, 100 * group.among_kind});
    labels.push_back(value);
  }
  ChartOptions options{absl::StrCat("Sensitivity to ", flag), flag,
                       "valid AUROC, %"};
  options.x_names = labels;
  options.x_low = -0.4;
  options.x_high = static_cast<double>(labels.size()) - 0.6;
  return LineChart(options, series);
}

std::string CostChart(const std::string& flag, const ByValue& groups) {
  std::vector<std::string> labels;
  std::vector<std::vector<double>> bars(1);
  for (const auto& [value, group] : groups) {
    labels.push_back(value);
    bars[0].push_back(group.seconds / group.cells);
  }
  const std::string names[] = {"seconds"};
  return GroupedBarChart(
      {absl::StrCat("Cost of ", flag), flag, "seconds a cell"}, labels, names,
      bars);
}

// The flags of a cell as help spells them, with hyphens.
std::string Flags(const SweepCell& cell) {
  std::string flags;
  for (const auto& [flag, value] : cell) {
    absl::StrAppend(&flags, flags.empty() ? "" : " ", "--",
                    absl::StrReplaceAll(flag, {{"_", "-"}}), " ", value);
  }
  return flags;
}

bool HaveEqualFigures(const SweepResult& one, const SweepResult& other) {
  const auto figures = [](const SweepMeasure& m) {
    return std::array{m.plausible_auroc, m.plausible_f1, m.among_kind_auroc,
                      m.among_kind_f1};
  };
  return figures(one.measure) == figures(other.measure);
}

// The cells with the figures of the first one, which are the best.
size_t CountBest(const std::vector<SweepResult>& results) {
  return std::count_if(results.begin(), results.end(), [&](const auto& result) {
    return HaveEqualFigures(result, results[0]);
  });
}

// Whether one cell alone is better than the others, or there is no other.
bool HasBest(const std::vector<SweepResult>& results) {
  return CountBest(results) == 1;
}

// Why no cell is best. REQUIRES: !HasBest(results), and there are results.
std::string NoBest(const std::vector<SweepResult>& results) {
  const size_t best = CountBest(results);
  return best == results.size()
             ? "no cell is best, as all have the same figures: these flags "
               "change nothing here"
             : absl::StrCat("no cell is best: the first ", best,
                            " have the same figures");
}

Json ToJson(const SweepMeasure& measure) {
  return {
      {"objective", measure.Objective()},
      {"plausible",
       {{"auroc", measure.plausible_auroc}, {"f1", measure.plausible_f1}}},
      {"among_kind",
       {{"auroc", measure.among_kind_auroc}, {"f1", measure.among_kind_f1}}},
      {"seconds", measure.seconds},
      {"peak_mib", measure.peak_mib}};
}

}  // namespace

Json SweepResultToJson(const SweepResult& result) {
  Json flags = Json::object();
  for (const auto& [flag, value] : result.cell) flags[flag] = value;
  return {{"flags", flags}, {"valid", ToJson(result.measure)}};
}

Json SweepToJson(const std::vector<SweepResult>& results) {
  Json json = {{"cells", Json::array()}, {"best", nullptr}};
  for (const SweepResult& result : results) {
    json["cells"].push_back(SweepResultToJson(result));
  }
  if (HasBest(results)) json["best"] = json["cells"][0]["flags"];
  return json;
}

std::string SweepText(const std::vector<SweepResult>& results) {
  std::string text =
      absl::StrFormat("%9s %9s %9s %9s %10s %8s  %s\n", "plausible", "F1",
                      "kind", "F1", "time", "MiB", "flags (valid, in %)");
  for (const SweepResult& result : results) {
    const SweepMeasure& m = result.measure;
    absl::StrAppendFormat(&text, "%9.2f %9.2f %9.2f %9.2f %10s %8.0f  %s\n",
                          100 * m.plausible_auroc, 100 * m.plausible_f1,
                          100 * m.among_kind_auroc, 100 * m.among_kind_f1,
                          FormatSeconds(m.seconds), m.peak_mib,
                          Flags(result.cell));
  }
  if (HasBest(results)) {
    absl::StrAppend(&text, "best: ", Flags(results[0].cell), "\n");
  } else if (!results.empty()) {
    absl::StrAppend(&text, NoBest(results), "\n");
  }
  return text;
}

std::string RenderSweepHtml(const std::vector<SweepResult>& results) {
  std::string rows =
      "<tr><th>flags</th><th>plausible AUROC</th><th></th><th>F1</th>"
      "<th>among kind AUROC</th><th>F1</th><th>time</th><th>memory</th></tr>";
  for (const SweepResult& result : results) {
    const SweepMeasure& m = result.measure;
    const bool best = &result == &results[0] && HasBest(results);
    absl::StrAppend(&rows, best ? "<tr class=\"ours\">" : "<tr>", "<td>",
                    EscapeMarkup(Flags(result.cell)), "</td><td>",
                    Percent(m.plausible_auroc), "</td>",
                    BarCell(m.plausible_auroc, 0.5));
    absl::StrAppend(&rows, "<td>", Percent(m.plausible_f1), "</td><td>",
                    Percent(m.among_kind_auroc), "</td><td>",
                    Percent(m.among_kind_f1), "</td>");
    absl::StrAppend(&rows, "<td>", FormatSeconds(m.seconds),
                    absl::StrFormat("</td><td>%.0f MiB</td></tr>", m.peak_mib));
  }
  const std::string remark =
      results.empty() || HasBest(results) ? "" : Remark(NoBest(results));
  std::vector<std::string> charts;
  for (size_t axis = 0; !results.empty() && axis < results[0].cell.size();
       ++axis) {
    const ByValue groups = GroupByValue(results, axis);
    if (groups.size() < 2) continue;
    charts.push_back(AurocChart(results[0].cell[axis].first, groups));
    charts.push_back(CostChart(results[0].cell[axis].first, groups));
  }
  const PageSection sections[] = {
      {"Cells", remark + Card(WideTable("Cells", rows))},
      {"Sensitivity and cost",
       ChartGrid("AUROC of the best cell with the value; seconds of the "
                 "average one.",
                 charts)}};
  return HtmlPage("slice, sweep",
                  absl::StrCat("<h1>Sweep</h1>\n",
                               Remark(absl::StrCat(results.size(),
                                                   " cells, measured on valid "
                                                   "alone; best first")),
                               Sections(sections)));
}

}  // namespace slice
