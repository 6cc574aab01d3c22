// Runs the cells of a sweep one after another, after checking the flags of all.
// Each cell calls MeasureFit with a folder of its own, and leaves cell.json
// there. A cell that fails ends the sweep; when the sweep is run again,
// finished steps are not repeated.
#include "trainer/sweep.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/directory_lock.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "trainer/fit/fit.h"
#include "trainer/ignored_flags.h"
#include "trainer/sweep_cells.h"
#include "trainer/sweep_report.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr char kCellFile[] = "cell.json";

// Copies the work of an earlier cell at `from` to the new cell at `to`. Steps
// that depend on a flag in which the two cells differ run again (StepLog).
void TakeOverWork(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (from.empty() || fs::exists(to, error)) return;
  fs::copy(from, to, fs::copy_options::recursive, error);
  if (error) fs::remove_all(to, error);  // then the cell starts from nothing
}

class Sweep {
 public:
  explicit Sweep(const SweepOptions& options) : options_(options) {}

  // Checks the flags of every cell.
  absl::Status Prepare() {
    cells_ = MakeSweepCells(
        options_.axes.empty() ? DefaultSweepAxes() : options_.axes,
        options_.one_at_a_time);
    for (const SweepCell& cell : cells_) {
      const fs::path out = options_.out / SweepCellName(cell) / "bundle";
      SLICE_ASSIGN_OR_RETURN(FitOptions fit, options_.make_options(cell, out));
      SLICE_RETURN_IF_ERROR(fit.Validate());
      fits_.push_back(std::move(fit));
    }
    return CheckAxes();
  }

  absl::StatusOr<std::vector<SweepResult>> Run() {
    std::vector<SweepResult> results;
    for (size_t i = 0; i < cells_.size(); ++i) {
      LogInfo("cell %d/%d: %s", i + 1, cells_.size(), SweepCellName(cells_[i]));
      SLICE_ASSIGN_OR_RETURN(results.emplace_back(), RunCell(i));
    }
    std::stable_sort(results.begin(), results.end(),
                     [](const SweepResult& a, const SweepResult& b) {
                       return a.measure.Objective() > b.measure.Objective();
                     });
    return results;
  }

 private:
  // INVALID_ARGUMENT when a flag takes several values that no cell reads: its
  // cells would be equal.
  absl::Status CheckAxes() const {
    const SweepCell& first = cells_.front();
    for (size_t axis = 0; axis < first.size(); ++axis) {
      const std::string& flag = first[axis].first;
      bool varies = false, ignored = true;
      for (size_t i = 0; i < cells_.size(); ++i) {
        varies |= cells_[i][axis] != first[axis];
        ignored &= !WhyIgnored(fits_[i], flag).empty();
      }
      if (!varies || !ignored) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          options_.axes.empty() ? "without --vary, a sweep varies " : "--vary ",
          flag, ", which changes nothing: ", WhyIgnored(fits_[0], flag),
          "; vary another flag, such as --vary "
          "structural-learning-rate=1e-3,2e-3"));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<SweepResult> RunCell(size_t index) {
    const fs::path directory = options_.out / SweepCellName(cells_[index]);
    SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
    TakeOverWork(BestWorkFor(index), fits_[index].WorkFolder());
    SLICE_ASSIGN_OR_RETURN(const FitMeasurement fit, MeasureFit(fits_[index]));
    SweepMeasure measure;
    measure.plausible_auroc = fit.valid[0].auroc;
    measure.plausible_f1 = fit.valid[0].f1;
    measure.among_kind_auroc = fit.valid[1].auroc;
    measure.among_kind_f1 = fit.valid[1].f1;
    for (const StepTime& step : fit.steps) {
      measure.seconds += step.seconds;
      measure.peak_mib = std::max(measure.peak_mib, step.peak_mib);
    }
    const SweepResult result = {cells_[index], measure};
    SLICE_RETURN_IF_ERROR(WriteFileAtomically(
        directory / kCellFile, SweepResultToJson(result).dump(2) + "\n"));
    return result;
  }

  // The work folder of the earlier cell that shares the most flag values with
  // this cell; empty for the first cell.
  fs::path BestWorkFor(size_t index) const {
    fs::path best;
    size_t most = 0;
    for (size_t i = 0; i < index; ++i) {
      size_t common = 1;
      for (size_t axis = 0; axis < cells_[i].size(); ++axis) {
        common += cells_[i][axis] == cells_[index][axis];
      }
      if (common > most) {
        most = common;
        best = fits_[i].WorkFolder();
      }
    }
    return best;
  }

  const SweepOptions& options_;
  std::vector<SweepCell> cells_;
  std::vector<FitOptions> fits_;  // parallel to cells_
};

}  // namespace

absl::Status RunSweep(const SweepOptions& options) {
  Sweep sweep(options);
  SLICE_RETURN_IF_ERROR(sweep.Prepare());
  SLICE_ASSIGN_OR_RETURN(const DirectoryLock lock,
                         DirectoryLock::Acquire(options.out));
  SLICE_ASSIGN_OR_RETURN(const std::vector<SweepResult> results, sweep.Run());
  const std::string json = SweepToJson(results).dump(2) + "\n";
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "sweep.json", json));
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "sweep.html",
                                            RenderSweepHtml(results)));
  std::fputs((options.json ? json : SweepText(results)).c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace slice
