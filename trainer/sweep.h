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
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"

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

std::vector<SweepAxis> DefaultSweepAxes();

// Runs all cells; writes sweep.json and sweep.html to `out`; prints the table,
// best first, and the best flags to stdout. All cells' flags are checked before
// the first one runs.
absl::Status RunSweep(const SweepOptions& options);

// The results as sweep.json has them, best first, and as the table and page.
nlohmann::json SweepToJson(const std::vector<SweepResult>& results);
std::string SweepText(const std::vector<SweepResult>& results);
std::string RenderSweepHtml(const std::vector<SweepResult>& results);

}  // namespace slice

#endif  // SLICE_TRAINER_SWEEP_H_
