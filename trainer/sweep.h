// `slice-trainer sweep`: a small grid of training flags, measured on valid
// alone.
//
// Every cell is a run of `fit` up to fine-tuning, in a directory below `out`
// that is named after its flags. Finished steps are not done again, and a new
// cell starts from a copy of the work of the earlier cell that shares the most
// flag values with it. As in every run of `fit`, the node keys of the test file
// are read, but nothing is measured on that file.
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

// Checks the flags of all cells, then runs the cells. Writes sweep.json and
// sweep.html to `out`, and prints the table, best cell first, and the best
// flags. Returns the first error of a cell.
absl::Status RunSweep(const SweepOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_H_
