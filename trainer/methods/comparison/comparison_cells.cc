// A cell of the table is one method on one data set. Its runs have the seeds 1,
// 2, ... and write their reports to OUT/SET/METHOD/seed-N. Before a seed is
// run, CellRunner looks for a finished run: first for the report in that
// folder, then in the earlier comparison.
//
// A finished run is reused when it is not leaky, its seed, parameters and data
// digest are equal and the budget cannot have changed its result: a run that
// its budget cut short says nothing about a run with another budget. Presets of
// fit have no budget.
#include "trainer/methods/comparison/comparison_cells.h"

#include <algorithm>
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
constexpr char kBudgetLabel[] = "most training of a run";

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
// same, or it finished within both budgets. A training ends before its budget
// does when one more epoch would exceed it.
bool MatchesBudget(absl::Duration budget, const RunFigures& run) {
  absl::Duration run_budget;
  if (!absl::ParseDuration(ValueOf(run.labels, kBudgetLabel), &run_budget)) {
    run_budget = absl::InfiniteDuration();
  }
  return run_budget == budget ||
         (!IsSpentBudgetText(run.stopped) &&
          absl::Seconds(run.seconds) < std::min(run_budget, budget));
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
  auto runs = RunSeeds(title);
  if (!runs.ok()) {
    cell.error = std::string(runs.status().message());
    LogWarning("%s: %s", out_.string(), cell.error);
    return cell;
  }
  cell.runs = *std::move(runs);
  cell.fewer_seeds = info_.learns && std::ssize(cell.runs) < options_.seeds &&
                     cell.runs.back().seconds > kLongRunSeconds;
  return cell;
}

absl::StatusOr<std::vector<RunFigures>> CellRunner::RunSeeds(
    const std::string& title) {
  SLICE_ASSIGN_OR_RETURN(data_, DataDigest(run_));
  std::vector<RunFigures> runs;
  const int seeds = info_.learns ? options_.seeds : 1;
  for (int seed = 1; seed <= seeds; ++seed) {
    run_.seed = static_cast<uint64_t>(seed);
    run_.out = out_ / absl::StrCat("seed-", seed);
    auto run = FindFinishedRun();
    if (!run.has_value()) {
      if (options_.table_only) continue;
      SLICE_ASSIGN_OR_RETURN(run, RunOnce(title));
    }
    runs.push_back(*std::move(run));
    if (runs.back().seconds > kLongRunSeconds) break;
  }
  if (runs.empty()) {
    return absl::NotFoundError("has not run; leave out --table-only to run it");
  }
  return runs;
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
          MatchesBudget(options_.budget, run));
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
