// AUROC is the share of pairs of a link and a non-link in which the link has
// the higher score (Hanley and McNeil, 1982); the sentences say it so. Two
// methods whose intervals meet count as equal.
#include "trainer/report/report_verdict.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "trainer/report/auroc_error.h"

namespace slice {
namespace {

const ResultTable* FindTable(const TrainingReport& report,
                             std::string_view key) {
  for (const ResultTable& table : report.results) {
    if (table.key == key && !table.rows.empty() && table.rows[0].is_model &&
        !std::isnan(table.rows[0].metrics.auroc)) {
      return &table;
    }
  }
  return nullptr;
}

// The method of others with the highest AUROC; null when there is none.
const MethodResult* BestOther(const ResultTable& table) {
  const MethodResult* best = nullptr;
  for (const MethodResult& row : table.rows) {
    if (row.is_model || std::isnan(row.metrics.auroc)) continue;
    if (best == nullptr || row.metrics.auroc > best->metrics.auroc) best = &row;
  }
  return best;
}

std::string OutOfHundred(double share) {
  return absl::StrFormat("%.1f", 100 * share);
}

std::string Compared(const BinaryMetrics& model, const MethodResult& other) {
  const double margin = 1.96 * std::hypot(AurocStandardError(model),
                                          AurocStandardError(other.metrics));
  const double ahead = model.auroc - other.metrics.auroc;
  const char* const verdict = ahead > margin    ? "behind it is "
                              : ahead < -margin ? "ahead of it is "
                                                : "level with it is ";
  return absl::StrCat("; ", verdict, other.method, ", with ",
                      OutOfHundred(other.metrics.auroc));
}

std::string HardQuestion(const TrainingReport& report) {
  if (!report.rankings.empty() && !report.rankings[0].rows.empty()) {
    const RankingFigures& figures = report.rankings[0].rows[0].figures;
    return absl::StrFormat(
        " Asked for the right node among all that fit, it puts it first in %s "
        "of 100 questions and among the first ten in %s.",
        OutOfHundred(figures.hits_1), OutOfHundred(figures.hits_10));
  }
  for (const auto& [key, what] :
       {std::pair("degree_matched", "of the right type and as well connected"),
        std::pair("typed", "of the right type")}) {
    const ResultTable* const table = FindTable(report, key);
    if (table == nullptr) continue;
    return absl::StrFormat(
        " When the non-link has a target %s, it does so in %s.", what,
        OutOfHundred(table->rows[0].metrics.auroc));
  }
  return "";
}

}  // namespace

std::string Verdict(const TrainingReport& report) {
  const ResultTable* const table = FindTable(report, "published");
  if (table == nullptr) return "";
  const MethodResult& model = table->rows[0];
  const MethodResult* const other = BestOther(*table);
  return absl::StrCat(
      "Of a test link and a non-link, ", model.method,
      " gives the link the higher score in ", OutOfHundred(model.metrics.auroc),
      " of 100 cases",
      absl::StrCat(other == nullptr ? "" : Compared(model.metrics, *other), ".",
                   HardQuestion(report)));
}

}  // namespace slice
