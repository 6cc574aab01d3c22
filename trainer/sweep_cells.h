// The cells of a sweep: combinations of flags of `fit`, and what each reached.
#ifndef SLICE_TRAINER_SWEEP_CELLS_H_
#define SLICE_TRAINER_SWEEP_CELLS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// The values that one flag of `fit` takes.
struct SweepAxis {
  std::string flag;  // without dashes
  std::vector<std::string> values;
};

// "learning_rate=5e-4,1e-3". INVALID_ARGUMENT naming what is missing.
absl::StatusOr<SweepAxis> ParseSweepAxis(const std::string& text);

// A flag and its value, per axis.
using SweepCell = std::vector<std::pair<std::string, std::string>>;

// All combinations; with `one_at_a_time` the first value of every axis, and
// from there each axis alone. Distinct, the first combination first.
std::vector<SweepCell> MakeSweepCells(const std::vector<SweepAxis>& axes,
                                      bool one_at_a_time);

// "layers=2,learning_rate=1e-3", fit for a directory name.
std::string SweepCellName(const SweepCell& cell);

// What a cell reached on valid: AUROC and best F1 by question.
struct SweepMeasure {
  double plausible_auroc = 0, plausible_f1 = 0;
  double among_kind_auroc = 0, among_kind_f1 = 0;
  double seconds = 0;   // all steps, those taken over included
  double peak_mib = 0;  // the most of them

  // The mean of the two AUROCs: what cells are ranked by.
  double Objective() const { return (plausible_auroc + among_kind_auroc) / 2; }
};

struct SweepResult {
  SweepCell cell;
  SweepMeasure measure;
};

std::vector<SweepAxis> DefaultSweepAxes();

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_CELLS_H_
