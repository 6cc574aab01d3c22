// One method on one data set, seed by seed.
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

// Of the test links to rank. Methods that learn nothing and slice look at the
// graph anew for every candidate: a sample says enough of them.
inline constexpr size_t kSampledPositives = 500;
// A method whose runs take longer has one seed.
inline constexpr double kSecondsForOneSeed = 600;

// Thread-compatible. Everything must outlive it.
class CellRunner {
 public:
  // `earlier` are runs to be taken over.
  CellRunner(const ComparisonOptions& options, const std::string& set,
             const MethodInfo& info, std::span<const ComparedRun> earlier);

  // Runs what is not there yet. `title` stands in progress lines.
  ComparisonCell Run(const std::string& title);

 private:
  absl::StatusOr<std::vector<RunFigures>> RunSeeds(const std::string& title);
  absl::StatusOr<RunFigures> RunSeed(int seed, const std::string& title);
  // What a run with the same parameters on the same data left.
  std::optional<RunFigures> FindDone() const;
  bool IsSame(const RunFigures& run) const;

  const ComparisonOptions& options_;
  const std::string& set_;
  const MethodInfo& info_;
  const std::span<const ComparedRun> earlier_;
  const std::filesystem::path out_;
  MethodRunOptions run_;
  std::string parameters_, data_;  // what a run must have to be the same
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_CELLS_H_
