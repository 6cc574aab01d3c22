// A cell of the table is one method on one data set. Its runs have the seeds 1,
// 2, ... and write their reports to OUT/SET/METHOD/seed-N. Before a seed is
// run, CellRunner looks for a finished run: first for the report in that
// folder, then in the earlier comparison.
//
// A finished run is reused when it is not leaky, its seed, parameters and data
// digest are equal and the budget cannot have changed its result: a run that
// its budget cut short says nothing about a run with another budget. Presets of
// fit have no budget.
//
// No further seed begins after a run that failed or took long. Finished runs of
// further seeds still count.
#include "trainer/methods/comparison/comparison_cells.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "trainer/methods/preset_run.h"
#include "trainer/report/report_json.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr size_t kAllPositives = static_cast<size_t>(-1);
constexpr char kBudgetLabel[] = "budget of a training";

MethodRunOptions RunOptionsOf(const ComparisonOptions& options,
                              const std::string& set, const MethodInfo& info) {
  const fs::path folder = options.datasets / set;
  MethodRunOptions run;
  run.method = info.name;
  run.files.train = FindDataFile(folder, "train");
  run.valid = FindDataFile(folder, "valid");
  run.test = FindDataFile(folder, "test");
  run.files.nodes = FindDataFile(folder, "nodes");
  run.budget = options.budget;
  const bool ranks_all = info.learns && info.preset.empty();
  run.rank_positives = ranks_all ? kAllPositives : kSampledPositives;
  run.least_ranked_relations = options.least_ranked_relations;
  run.threads = options.threads > 0 ? options.threads : ProcessorCount();
  run.labels = options.labels;
  run.labels.push_back({"threads", absl::StrCat(run.threads)});
  run.labels.push_back({kBudgetLabel, absl::FormatDuration(options.budget)});
  return run;
}

std::string ParametersOf(const MethodInfo& info) {
  if (!info.preset.empty()) return PresetParameters(info);
  return ParameterValues::Parse(info.parameters, {})->ToString();
}

// Whether `run` would have the same result with this budget: its budget was the
// same, or its training finished within both budgets, and within each part of
// them. A training ends before its budget does when one more epoch would exceed
// it.
bool MatchesBudget(absl::Duration budget, const MethodInfo& info,
                   const RunFigures& run) {
  absl::Duration run_budget;
  if (!absl::ParseDuration(ValueOf(run.labels, kBudgetLabel), &run_budget)) {
    run_budget = absl::InfiniteDuration();
  }
  // Older runs know only the time of all steps.
  const double trained =
      std::isnan(run.train_seconds) ? run.seconds : run.train_seconds;
  return run_budget == budget ||
         (!IsSpentBudgetText(run.stopped) &&
          absl::Seconds(trained) <
              info.least_budget_part * std::min(run_budget, budget));
}

}  // namespace

fs::path FindDataFile(const fs::path& folder, const std::string& name) {
  for (const char* ending : {".txt", ".tsv"}) {
    const fs::path file = folder / (name + ending);
    std::error_code error;
    if (fs::exists(file, error)) return file;
  }
  return {};
}

CellRunner::CellRunner(const ComparisonOptions& options, const std::string& set,
                       const MethodInfo& info,
                       std::span<const ComparedCell> earlier)
    : options_(options),
      set_(set),
      info_(info),
      earlier_(earlier),
      out_(options.out / set / info.name),
      run_(RunOptionsOf(options, set, info)),
      parameters_(ParametersOf(info)) {}

ComparisonCell CellRunner::Run(const std::string& title) {
  ComparisonCell cell;
  const absl::Status status = RunSeeds(title, cell);
  if (!status.ok()) {
    cell.error = std::string(status.message());
    LogWarning("%s: %s", out_.string(), cell.error);
  } else if (cell.runs.empty()) {
    cell.error = "has not run; leave out --table-only to run it";
  }
  return cell;
}

absl::Status CellRunner::RunSeeds(const std::string& title,
                                  ComparisonCell& cell) {
  SLICE_ASSIGN_OR_RETURN(data_, DataDigest(run_));
  absl::Status status;
  bool was_long = false;
  const int seeds = info_.learns ? options_.seeds : 1;
  for (int seed = 1; seed <= seeds; ++seed) {
    run_.seed = static_cast<uint64_t>(seed);
    run_.out = out_ / absl::StrCat("seed-", seed);
    auto run = FindFinishedRun();
    if (!run && status.ok() && !was_long && !options_.table_only) {
      auto ran = RunOnce(title);
      if (ran.ok()) {
        run = *std::move(ran);
      } else {
        status = absl::Status(
            ran.status().code(),
            absl::StrCat("seed ", seed, ": ", ran.status().message()));
      }
    }
    if (!run) continue;
    was_long |= run->seconds > kLongRunSeconds;
    cell.runs.push_back(*std::move(run));
  }
  cell.fewer_seeds = was_long && std::ssize(cell.runs) < seeds;
  return status;
}

absl::StatusOr<RunFigures> CellRunner::RunOnce(const std::string& title) {
  LogInfo("comparison, %s, seed %d: %s", title, run_.seed, run_.out.string());
  SLICE_ASSIGN_OR_RETURN(const TrainingReport report, RunMethod(run_));
  return WithPage(FiguresOf(report));
}

RunFigures CellRunner::WithPage(RunFigures run) const {
  run.page =
      absl::StrCat(set_, "/", info_.name, "/seed-", run_.seed, "/report.html");
  return run;
}

bool CellRunner::MatchesNextRun(const RunFigures& run) const {
  return run.seed == run_.seed && run.parameters == parameters_ &&
         run.data == data_ &&
         (options_.table_only || !info_.preset.empty() ||
          MatchesBudget(options_.budget, info_, run));
}

std::optional<RunFigures> CellRunner::FindFinishedRun() const {
  if (const auto json = ReadFile(run_.out / "report.json"); json.ok()) {
    const auto report = ReportFromJson(*json);
    if (report.ok() && report->leaky) {
      LogWarning(
          "%s is LEAKY, so it is no row of a comparison; a run without "
          "the leak replaces it",
          (run_.out / "report.json").string());
    } else if (report.ok()) {
      RunFigures run = FiguresOf(*report);
      if (MatchesNextRun(run)) return WithPage(std::move(run));
    }
  }
  for (const ComparedCell& cell : earlier_) {
    if (cell.set != set_ || cell.method != info_.name) continue;
    for (const RunFigures& run : cell.runs) {
      if (MatchesNextRun(run)) return run;
    }
  }
  return std::nullopt;
}

}  // namespace slice
