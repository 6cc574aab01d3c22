// Runs one method on one data set, seed by seed.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_CELLS_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_CELLS_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/methods/comparison/comparison_runs.h"
#include "trainer/methods/comparison/comparison_types.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/method_run.h"

namespace slice {

// How many test links are ranked by methods that learn nothing and by slice.
// These methods read the graph anew for every candidate, and a sample measures
// them well enough. Other methods rank all test links.
inline constexpr size_t kSampledPositives = 500;
// After a run that takes longer than this, the method gets no further seed on
// this data set.
inline constexpr double kLongRunSeconds = 600;

// The file `name` of a data set: `name`.txt or `name`.tsv in `folder`,
// whichever exists, the first if both do. Empty when neither does.
std::filesystem::path FindDataFile(const std::filesystem::path& folder,
                                   const std::string& name);

// Runs one cell of the table. Thread-compatible. The references must outlive
// it.
class CellRunner {
 public:
  // `earlier` is an earlier comparison, whose runs may be reused.
  CellRunner(const ComparisonOptions& options, const std::string& set,
             const MethodInfo& info, std::span<const ComparedCell> earlier);

  // Runs the seeds that have no finished run yet, and returns the figures of
  // all seeds, with the reason where one failed. Log lines show `title`.
  ComparisonCell Run(const std::string& title);

 private:
  // Adds the runs to `cell`; returns the error of one that failed.
  absl::Status RunSeeds(const std::string& title, ComparisonCell& cell);
  absl::StatusOr<RunFigures> RunOnce(const std::string& title);
  // The figures of a finished run with the seed, parameters and data of `run_`:
  // from its report in `out_`, or from `earlier_`.
  std::optional<RunFigures> FindFinishedRun() const;
  // The figures of the next run with the address of its report.
  RunFigures WithPage(RunFigures run) const;
  bool MatchesNextRun(const RunFigures& run) const;

  const ComparisonOptions& options_;
  const std::string& set_;
  const MethodInfo& info_;
  const std::span<const ComparedCell> earlier_;
  const std::filesystem::path out_;
  MethodRunOptions run_;
  std::string parameters_, data_;  // which a reusable run must have
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_CELLS_H_
