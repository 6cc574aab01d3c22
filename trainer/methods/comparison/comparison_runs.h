// The figures of one run of a comparison: what tables are made of, and what a
// later comparison takes over.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_RUNS_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_RUNS_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/report/report.h"

namespace slice {

// NaN where something was not measured.
struct RunFigures {
  uint64_t seed = 0;
  std::string parameters;
  std::string data;                // digest of the files
  std::vector<NamedValue> labels;  // of the report
  // On published negatives.
  double auroc = kNotMeasured, average_precision = kNotMeasured,
         f1 = kNotMeasured;
  double typed_auroc = kNotMeasured, degree_matched_auroc = kNotMeasured;
  // Among all nodes.
  double mrr = kNotMeasured, hits_1 = kNotMeasured, hits_3 = kNotMeasured,
         hits_10 = kNotMeasured;
  double seconds = kNotMeasured, peak_mib = kNotMeasured;  // all steps
};

// A measured figure and its name in comparison.json.
struct NamedFigure {
  const char* name;
  double RunFigures::*value;
};
std::span<const NamedFigure> AllFigures();

RunFigures FiguresOf(const TrainingReport& report);

// The value of this name, "" without one.
std::string ValueOf(const std::vector<NamedValue>& values,
                    const std::string& name);

nlohmann::json RunToJson(const RunFigures& run);

// A run of some method on some data set.
struct ComparedRun {
  std::string set, method;
  RunFigures figures;
};

// The runs in a comparison.json. Errors of reading; INVALID_ARGUMENT, naming
// the file, when it is something else.
absl::StatusOr<std::vector<ComparedRun>> ReadComparedRuns(
    const std::filesystem::path& path);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_RUNS_H_
