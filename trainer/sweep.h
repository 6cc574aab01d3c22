// `slice-trainer sweep`: a small grid of training flags, measured on valid
// alone.
//
// Every cell is a run of `fit` up to fine-tuning in a directory of its own,
// named after its flags, below `out`. A finished step is not done again, and a
// new cell starts from the steps that an earlier one shares with it. The test
// file is read for its node keys, as in every run; nothing is measured on it.
#ifndef SLICE_TRAINER_SWEEP_H_
#define SLICE_TRAINER_SWEEP_H_

#include <filesystem>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/sweep_cells.h"

namespace slice {

struct SweepOptions {
  std::filesystem::path out;
  std::vector<SweepAxis> axes;  // empty: DefaultSweepAxes()
  bool one_at_a_time = false;
  bool json = false;
  // The fit options of a cell whose bundle would be at `out`.
  // INVALID_ARGUMENT for a flag or value that fit does not take.
  std::function<absl::StatusOr<FitOptions>(const SweepCell& cell,
                                           const std::filesystem::path& out)>
      make_options;
};

// Runs all cells; writes sweep.json and sweep.html to `out`; prints the table,
// best first, and the best flags to stdout. All cells' flags are checked before
// the first one runs.
absl::Status RunSweep(const SweepOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_H_
