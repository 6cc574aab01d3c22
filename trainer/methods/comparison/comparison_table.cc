// First the optional groups of columns are chosen for the whole data set. Then
// each method becomes a row of texts with these columns. AUROC, AUPR and F1 are
// percent; MRR and Hits are fractions; time and memory are means over the
// seeds. A failed cell becomes a row with the name of the method and the error.
#include "trainer/methods/comparison/comparison_table.h"

#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "trainer/methods/comparison/paper_figures.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

// "99.75 ± 0.01"; the mean alone without a deviation; "-" without a mean.
std::string PercentText(const MeanDeviation& value) {
  if (std::isnan(value.mean)) return "-";
  if (std::isnan(value.deviation)) {
    return absl::StrFormat("%.2f", 100 * value.mean);
  }
  return absl::StrFormat("%.2f ± %.2f", 100 * value.mean,
                         100 * value.deviation);
}

// "0.312 ± 0.002"; the mean alone without a deviation; "-" without a mean.
std::string FractionText(const MeanDeviation& value) {
  if (std::isnan(value.mean)) return "-";
  if (std::isnan(value.deviation)) return absl::StrFormat("%.3f", value.mean);
  return absl::StrFormat("%.3f ± %.3f", value.mean, value.deviation);
}

// "2.6 min", "30.0 min (budget)" when the budget ended the training of a run.
std::string TimeText(const ComparisonCell& cell) {
  const double seconds = cell.Over(&RunFigures::seconds).mean;
  if (std::isnan(seconds)) return "-";
  const std::string time = seconds < 60
                               ? absl::StrFormat("%.1f s", seconds)
                               : absl::StrFormat("%.1f min", seconds / 60);
  const bool spent = absl::c_any_of(cell.runs, [](const RunFigures& run) {
    return IsSpentBudgetText(run.stopped);
  });
  return absl::StrCat(time, spent ? " (budget)" : "");
}

std::string PaperText(const std::string& method, const std::string& set) {
  const auto paper = FindPaperFigures(method, set);
  if (!paper) return RanOutOfMemoryInPaper(method, set) ? "OOM" : "-";
  return absl::StrFormat("%.2f / %.2f", paper->auroc, paper->f1);
}

// "0.670 / 0.229": MRR when targets are asked for, and when sources are.
std::string WaysText(const ComparisonCell& cell) {
  const double targets = cell.Over(&RunFigures::mrr_targets).mean;
  const double sources = cell.Over(&RunFigures::mrr_sources).mean;
  return std::isnan(targets) || std::isnan(sources)
             ? "-"
             : absl::StrFormat("%.3f / %.3f", targets, sources);
}

// "+0.33 [+0.30, +0.36]", in percent; "-" when it was not measured.
std::string LeadText(const std::optional<ScoreDifference>& lead) {
  if (!lead) return "-";
  return absl::StrFormat("%+.2f [%+.2f, %+.2f]", 100 * lead->mean,
                         100 * lead->low, 100 * lead->high);
}

std::string SeedText(const ComparisonCell& cell) {
  return absl::StrCat(cell.runs.size(), cell.fewer_seeds ? " (long)" : "",
                      cell.error.empty() ? "" : " (another failed)");
}

// Which optional groups of columns a table has.
struct OptionalColumns {
  bool ranking = false, lead = false, paper = false;
};

OptionalColumns FindOptionalColumns(const Comparison& comparison, size_t set) {
  OptionalColumns shown;
  for (const ComparisonRow& row : comparison.rows) {
    shown.ranking |= !std::isnan(row.cells[set].Over(&RunFigures::mrr).mean);
    shown.lead |= row.cells[set].lead_of_slice.has_value();
    shown.paper |=
        FindPaperFigures(row.method, comparison.sets[set]).has_value();
  }
  return shown;
}

std::vector<std::string> ColumnsOf(const OptionalColumns& shown) {
  std::vector<std::string> columns = {"method",
                                      "AUROC",
                                      "AUPR",
                                      "F1",
                                      "type-matched AUROC",
                                      "degree-matched AUROC"};
  if (shown.ranking) {
    for (const char* name :
         {"MRR", "MRR, targets / sources", "Hits@1", "Hits@3", "Hits@10"}) {
      columns.emplace_back(name);
    }
  }
  if (shown.lead) columns.emplace_back("slice ahead by (AUROC)");
  for (const char* name : {"time", "peak MiB", "seeds"}) {
    columns.emplace_back(name);
  }
  if (shown.paper) columns.emplace_back("printed in the paper: AUROC / F1");
  return columns;
}

ComparisonTableRow RowOf(const ComparisonRow& row, const std::string& set,
                         const ComparisonCell& cell,
                         const OptionalColumns& shown) {
  ComparisonTableRow line{row.is_ours, "", {row.title}};
  if (cell.runs.empty()) {
    line.error = cell.error;
    return line;
  }
  for (const auto figure :
       {&RunFigures::auroc, &RunFigures::average_precision, &RunFigures::f1,
        &RunFigures::typed_auroc, &RunFigures::degree_matched_auroc}) {
    line.values.push_back(PercentText(cell.Over(figure)));
  }
  const std::pair<double RunFigures::*, double RunFigures::*> ranked[] = {
      {&RunFigures::mrr, &RunFigures::mrr_error},
      {&RunFigures::hits_1, &RunFigures::hits_1_error},
      {&RunFigures::hits_3, &RunFigures::hits_3_error},
      {&RunFigures::hits_10, &RunFigures::hits_10_error}};
  for (const auto& [figure, error] : ranked) {
    if (!shown.ranking) break;
    line.values.push_back(
        FractionText(WithError(cell.Over(figure), cell.Over(error).mean)));
    if (figure == &RunFigures::mrr) line.values.push_back(WaysText(cell));
  }
  if (shown.lead) line.values.push_back(LeadText(cell.lead_of_slice));
  line.values.push_back(TimeText(cell));
  line.values.push_back(
      absl::StrFormat("%.0f", cell.Over(&RunFigures::peak_mib).mean));
  line.values.push_back(SeedText(cell));
  if (shown.paper) line.values.push_back(PaperText(row.method, set));
  return line;
}

}  // namespace

ComparisonTable TableOf(const Comparison& comparison, size_t set) {
  const OptionalColumns shown = FindOptionalColumns(comparison, set);
  ComparisonTable table;
  table.columns = ColumnsOf(shown);
  for (const ComparisonRow& row : comparison.rows) {
    table.rows.push_back(
        RowOf(row, comparison.sets[set], row.cells[set], shown));
  }
  return table;
}

std::string ComparisonLegend() {
  return "Figures are percent, except MRR and Hits; mean ± deviation over the "
         "seeds. The threshold of F1 is chosen on valid. Negatives are those "
         "of the test file; type-matched and degree-matched negatives are "
         "redrawn among the targets of the relation. MRR and Hits are "
         "filtered, among all nodes, in both directions. Where they are "
         "measured on a sample of the test links, ± includes the standard "
         "error of the sample. \"slice ahead by\" is the mean AUROC of the "
         "runs of slice less that of the runs of the method whose scores were "
         "kept, on the same test links. Its interval of 95 % is that of a "
         "paired bootstrap over the links; what other seeds would change is "
         "not in it. Time covers all steps from training to evaluation; "
         "\"(budget)\": the budget ended the training of a run. "
         "\"Printed in the paper\": not run here; OOM: out of memory. The "
         "paper's program lets test links into the training of SLiCE, and its "
         "node2vec figures come out again only so on three of the four sets; "
         "how its other systems were trained is not known.";
}

std::vector<std::string> ParameterLines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const ComparisonRow& row : comparison.rows) {
    for (const ComparisonCell& cell : row.cells) {
      if (cell.runs.empty() || cell.runs[0].parameters.empty()) continue;
      lines.push_back(absl::StrCat(row.title, ": ", cell.runs[0].parameters));
      break;
    }
  }
  return lines;
}

}  // namespace slice
