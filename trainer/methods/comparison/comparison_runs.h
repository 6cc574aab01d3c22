// The figures of one run of a comparison. Tables show them, and a later
// comparison can reuse them.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_RUNS_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/report/report.h"

namespace slice {

// The figures of one run. A figure is NaN when it was not measured.
struct RunFigures {
  uint64_t seed = 0;
  std::string parameters;
  std::string data;                // DataDigest() of the files
  std::vector<NamedValue> labels;  // labels of the report
  // Why the training ended; empty when nothing was trained and in the runs that
  // older versions wrote.
  std::string stopped;
  // On published negatives.
  double auroc = kNotMeasured, average_precision = kNotMeasured,
         f1 = kNotMeasured;
  double typed_auroc = kNotMeasured, degree_matched_auroc = kNotMeasured;
  // Of the ranking among all nodes.
  double mrr = kNotMeasured, hits_1 = kNotMeasured, hits_3 = kNotMeasured,
         hits_10 = kNotMeasured;
  // The same by what is asked for.
  double mrr_targets = kNotMeasured, mrr_sources = kNotMeasured;
  // The standard errors of the former four figures from the sampling of
  // questions.
  double mrr_error = kNotMeasured, hits_1_error = kNotMeasured,
         hits_3_error = kNotMeasured, hits_10_error = kNotMeasured;
  double seconds = kNotMeasured, peak_mib = kNotMeasured;  // over all steps
  double train_seconds = kNotMeasured;  // what a budget bounds
  // The report of the run, as an address relative to the comparison's folder;
  // empty when it lies elsewhere. Not in comparison.json.
  std::string page;
};

// A measured figure and its name in comparison.json.
struct NamedFigure {
  const char* name;
  double RunFigures::*value;
};
std::span<const NamedFigure> AllFigures();

RunFigures FiguresOf(const TrainingReport& report);

// The value with this name; empty when there is none.
std::string ValueOf(const std::vector<NamedValue>& values,
                    const std::string& name);

nlohmann::json RunToJson(const RunFigures& run);

// A difference of AUROC, slice minus another method, with its 95 % interval
// (trainer/methods/comparison/paired_comparison.h).
struct ScoreDifference {
  double mean = 0, low = 0, high = 0;
  size_t runs = 0, our_runs = 0;  // of the other method, and of slice

  bool operator==(const ScoreDifference&) const = default;
};

nlohmann::json DifferenceToJson(const ScoreDifference& difference);

// What an earlier comparison found about a method on a data set.
struct ComparedCell {
  std::string set, method;
  std::vector<RunFigures> runs;
  std::optional<ScoreDifference> lead_of_slice;
};

// The cells with runs that a comparison.json holds. Returns the errors of
// reading. INVALID_ARGUMENT, naming the file, when it is not a comparison.json.
absl::StatusOr<std::vector<ComparedCell>> ReadComparedCells(
    const std::filesystem::path& path);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_RUNS_H_
