// Several runs of one experiment as one result: means, deviations and paired
// differences.
#ifndef SLICE_TRAINER_REPORT_REPORT_SUMMARY_H_
#define SLICE_TRAINER_REPORT_REPORT_SUMMARY_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/report/report.h"

namespace slice {

// The mean and the standard deviation of the values that are not NaN.
struct MeanDeviation {
  uint64_t count = 0;
  double mean = kNotMeasured;
  double deviation = kNotMeasured;  // of the sample (n - 1); NaN for n < 2

  double StandardError() const;
};
MeanDeviation Summarize(std::span<const double> values);

// Returns `value` with the deviation sqrt(deviation^2 + error^2), where `error`
// is a standard error from another cause. A NaN deviation counts as 0. Changes
// nothing unless `error` is above 0.
MeanDeviation WithError(MeanDeviation value, double error);

struct SummaryRow {
  std::string key, method;
  bool is_model = false;
  MeanDeviation auroc, average_precision, f1;
};

struct SummaryTable {
  std::string key, title;  // of the ResultTable
  std::vector<SummaryRow> rows;
};

// The difference of two methods in one measure: first - second, run by run.
struct PairedDifference {
  std::string set, measure;   // "typed", "auroc"
  std::string first, second;  // keys of methods
  MeanDeviation difference;
  // Whether the mean is more than two standard errors from zero.
  bool IsClear() const;
};

struct RunSummary {
  std::string title;
  std::vector<uint64_t> seeds;  // one per run
  std::vector<SummaryTable> tables;
  MeanDeviation mrr;
  double mrr_error = kNotMeasured;  // from the sampling of questions
  std::vector<PairedDifference> differences;
  MeanDeviation seconds, peak_mib;  // of a run
};

// Summarises the reports of several runs. Differences are those between the
// scorers of the model, and between each of them and the best baseline of the
// set. INVALID_ARGUMENT without reports, or when they differ in title, preset
// or own pair links.
absl::StatusOr<RunSummary> SummarizeReports(
    std::span<const TrainingReport> reports);

// `own_pair_links`, and the shortcuts of ReportToJson with {mean, deviation,
// count} in place of every number, and `differences`.
nlohmann::json SummaryToJson(const RunSummary& summary,
                             std::span<const TrainingReport> reports);
// SummaryToJson as indented text that ends in a line break.
std::string SummaryJsonText(const RunSummary& summary,
                            std::span<const TrainingReport> reports);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_REPORT_SUMMARY_H_
