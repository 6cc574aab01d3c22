// The cells of a sweep: combinations of values for flags of `fit`, and the
// figures that each combination reached.
#ifndef SLICE_TRAINER_SWEEP_CELLS_H_
#define SLICE_TRAINER_SWEEP_CELLS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// The values that one flag of `fit` takes in the cells.
struct SweepAxis {
  std::string flag;  // without dashes
  std::vector<std::string> values;
};

// Reads "learning_rate=5e-4,1e-3". INVALID_ARGUMENT without a flag or values.
absl::StatusOr<SweepAxis> ParseSweepAxis(const std::string& text);

// A flag and its value for each axis.
using SweepCell = std::vector<std::pair<std::string, std::string>>;

// All combinations of the values, each once. With `one_at_a_time` only the
// combination of the first values, and those that differ from it in one axis.
// The combination of the first values comes first.
std::vector<SweepCell> MakeSweepCells(const std::vector<SweepAxis>& axes,
                                      bool one_at_a_time);

// "layers=2,learning_rate=1e-3", as a directory name: without slashes.
std::string SweepCellName(const SweepCell& cell);

// The figures of a cell on valid: AUROC and best F1 by question.
struct SweepMeasure {
  double plausible_auroc = 0, plausible_f1 = 0;
  double among_kind_auroc = 0, among_kind_f1 = 0;
  double seconds = 0;   // of all steps, also of those copied from other cells
  double peak_mib = 0;  // peak memory of the step that needed most

  // The mean of the two AUROCs, by which cells are ranked.
  double Objective() const { return (plausible_auroc + among_kind_auroc) / 2; }
};

struct SweepResult {
  SweepCell cell;
  SweepMeasure measure;
};

// The axes of a sweep that names none: the learning rate and the context size.
std::vector<SweepAxis> DefaultSweepAxes();

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_CELLS_H_
