#include "trainer/sweep.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "trainer/fit/fit.h"

namespace slice {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr char kCellFile[] = "cell.json";

Json ToJson(const SweepMeasure& measure) {
  return {
      {"objective", measure.Objective()},
      {"plausible",
       {{"auroc", measure.plausible_auroc}, {"f1", measure.plausible_f1}}},
      {"among_kind",
       {{"auroc", measure.among_kind_auroc}, {"f1", measure.among_kind_f1}}},
      {"seconds", measure.seconds},
      {"peak_mib", measure.peak_mib}};
}

// Starts a cell from the work of another: its step log does again what depends
// on other flags.
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
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<SweepResult>> Run() {
    std::vector<SweepResult> results;
    for (size_t i = 0; i < cells_.size(); ++i) {
      LogInfo("cell %d/%d: %s", i + 1, cells_.size(), SweepCellName(cells_[i]));
      SLICE_ASSIGN_OR_RETURN(const SweepMeasure measure, RunCell(i));
      results.push_back({cells_[i], measure});
    }
    std::stable_sort(results.begin(), results.end(),
                     [](const SweepResult& a, const SweepResult& b) {
                       return a.measure.Objective() > b.measure.Objective();
                     });
    return results;
  }

 private:
  absl::StatusOr<SweepMeasure> RunCell(size_t index) {
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
    Json flags = Json::object();
    for (const auto& [flag, value] : cells_[index]) flags[flag] = value;
    const Json json = {{"flags", flags}, {"valid", ToJson(measure)}};
    SLICE_RETURN_IF_ERROR(
        WriteFileAtomically(directory / kCellFile, json.dump(2) + "\n"));
    return measure;
  }

  // The work of the earlier cell with most flags in common; empty for the
  // first.
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
  std::vector<FitOptions> fits_;  // of the cells
};

}  // namespace

absl::StatusOr<SweepAxis> ParseSweepAxis(const std::string& text) {
  const std::vector<std::string> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  SweepAxis axis;
  axis.flag = parts[0];
  if (parts.size() == 2) {
    axis.values = absl::StrSplit(parts[1], ',', absl::SkipEmpty());
  }
  if (axis.flag.empty() || axis.values.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--vary is '", text, "'; it is FLAG=VALUE,VALUE such as layers=1,2"));
  }
  return axis;
}

std::vector<SweepCell> MakeSweepCells(const std::vector<SweepAxis>& axes,
                                      bool one_at_a_time) {
  std::vector<SweepCell> cells = {{}};
  for (const SweepAxis& axis : axes) {
    std::vector<SweepCell> longer;
    for (const SweepCell& cell : cells) {
      for (size_t i = 0; i < axis.values.size(); ++i) {
        // One at a time: other values only where all before are the first.
        const bool base =
            cell.size() ==
            static_cast<size_t>(
                std::count_if(cell.begin(), cell.end(), [&](const auto& part) {
                  return part.second == axes[&part - cell.data()].values[0];
                }));
        if (one_at_a_time && i > 0 && !base) continue;
        longer.push_back(cell);
        longer.back().emplace_back(axis.flag, axis.values[i]);
      }
    }
    cells = std::move(longer);
  }
  std::set<SweepCell> seen;
  std::erase_if(
      cells, [&](const SweepCell& cell) { return !seen.insert(cell).second; });
  return cells;
}

std::string SweepCellName(const SweepCell& cell) {
  std::string name = absl::StrJoin(cell, ",", absl::PairFormatter("="));
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::vector<SweepAxis> DefaultSweepAxes() {
  return {{"learning_rate", {"1e-3", "5e-4", "2e-3"}},
          {"max_context_nodes", {"12", "6"}}};
}

absl::Status RunSweep(const SweepOptions& options) {
  Sweep sweep(options);
  SLICE_RETURN_IF_ERROR(sweep.Prepare());
  SLICE_RETURN_IF_ERROR(CreateDirectories(options.out));
  SLICE_ASSIGN_OR_RETURN(const std::vector<SweepResult> results, sweep.Run());
  const std::string json = SweepToJson(results).dump(2) + "\n";
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "sweep.json", json));
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "sweep.html",
                                            RenderSweepHtml(results)));
  std::fputs((options.json ? json : SweepText(results)).c_str(), stdout);
  return absl::OkStatus();
}

Json SweepToJson(const std::vector<SweepResult>& results) {
  Json json = {{"cells", Json::array()}, {"best", nullptr}};
  for (const SweepResult& result : results) {
    Json flags = Json::object();
    for (const auto& [flag, value] : result.cell) flags[flag] = value;
    json["cells"].push_back(
        {{"flags", flags}, {"valid", ToJson(result.measure)}});
  }
  if (!results.empty()) json["best"] = json["cells"][0]["flags"];
  return json;
}

}  // namespace slice
