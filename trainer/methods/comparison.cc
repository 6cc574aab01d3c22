#include "trainer/methods/comparison.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/parallel.h"
#include "common/status_macros.h"
#include "trainer/methods/method_registry.h"
#include "trainer/methods/method_run.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// Of the test links to rank. Methods that learn nothing and slice look at the
// graph anew for every candidate: a sample says enough of them.
constexpr size_t kAllPositives = static_cast<size_t>(-1);
constexpr size_t kSampledPositives = 500;
// A method whose runs take longer has one seed.
constexpr double kSecondsForOneSeed = 600;

bool IsDataset(const fs::path& folder) {
  const char* const files[] = {"train.txt", "valid.txt", "test.txt"};
  return std::all_of(std::begin(files), std::end(files),
                     [&folder](const char* file) {
                       std::error_code error;
                       return fs::exists(folder / file, error);
                     });
}

absl::StatusOr<std::vector<std::string>> SetsOf(
    const ComparisonOptions& options) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(options.datasets, error)) {
    if (IsDataset(entry.path())) {
      found.push_back(entry.path().filename().string());
    }
  }
  if (error) return FileError("list", options.datasets, error.value());
  std::sort(found.begin(), found.end());
  if (found.empty()) {
    return absl::NotFoundError(
        absl::StrCat("no folder of ", options.datasets.string(),
                     " holds train.txt, valid.txt and test.txt"));
  }
  for (const std::string& name : options.sets) {
    if (std::find(found.begin(), found.end(), name) == found.end()) {
      return absl::NotFoundError(absl::StrCat(
          "there is no data set '", name, "' in ", options.datasets.string(),
          "; there are ", absl::StrJoin(found, ", ")));
    }
  }
  return options.sets.empty() ? found : options.sets;
}

absl::StatusOr<std::vector<const MethodInfo*>> MethodsOf(
    const ComparisonOptions& options) {
  std::vector<const MethodInfo*> methods;
  if (options.methods.empty()) {
    for (const MethodInfo& info : AllMethods()) methods.push_back(&info);
  }
  for (const std::string& name : options.methods) {
    SLICE_ASSIGN_OR_RETURN(const MethodInfo* info, FindMethod(name));
    methods.push_back(info);
  }
  return methods;
}

// Unless it is there, or has no value.
void AddFact(const NamedValue& fact, std::vector<NamedValue>& facts) {
  const auto same = [&fact](const NamedValue& other) {
    return other.name == fact.name && other.value == fact.value;
  };
  if (fact.value.empty() || std::any_of(facts.begin(), facts.end(), same)) {
    return;
  }
  facts.push_back(fact);
}

// The values of each name over all cells: "commit: 12ab, 34cd".
std::vector<std::string> FactLines(const Comparison& comparison,
                                   const std::vector<NamedValue>& names) {
  std::vector<std::string> lines;
  for (const NamedValue& name : names) {
    std::vector<NamedValue> values;
    for (const ComparisonRow& row : comparison.rows) {
      for (const ComparisonCell& cell : row.cells) {
        for (const RunFigures& run : cell.runs) {
          AddFact({name.name, FactOf(run.facts, name.name)}, values);
        }
      }
    }
    lines.push_back(absl::StrCat(
        name.name, ": ",
        absl::StrJoin(values, ", ", [](std::string* out, const NamedValue& v) {
          out->append(v.value);
        })));
  }
  return lines;
}

// One method on one data set, seed by seed.
class CellRunner {
 public:
  CellRunner(const ComparisonOptions& options, const std::string& set,
             const MethodInfo& info, std::span<const ComparedRun> earlier)
      : options_(options),
        set_(set),
        info_(info),
        earlier_(earlier),
        out_(options.out / set / info.name) {
    const fs::path folder = options.datasets / set;
    run_.method = info.name;
    run_.files.train = folder / "train.txt";
    run_.valid = folder / "valid.txt";
    run_.test = folder / "test.txt";
    std::error_code error;
    if (fs::exists(folder / "nodes.tsv", error)) {
      run_.files.nodes = folder / "nodes.tsv";
    }
    run_.budget = options.budget;
    const bool ranks_all = info.learns && info.preset.empty();
    run_.rank_positives = ranks_all ? kAllPositives : kSampledPositives;
    run_.facts = options.facts;
    run_.least_ranked_relations = options.ranked_relations;
    run_.threads = options.threads;
  }

  ComparisonCell Run() {
    std::vector<RunFigures> runs;
    bool fewer = false;
    const int seeds = info_.learns ? options_.seeds : 1;
    for (int seed = 1; seed <= seeds; ++seed) {
      const auto run = RunSeed(seed);
      if (!run.ok()) {
        ComparisonCell failed;
        failed.error = std::string(run.status().message());
        LogWarning("%s: %s", out_.string(), failed.error);
        return failed;
      }
      runs.push_back(*run);
      fewer = seeds > 1 && run->seconds > kSecondsForOneSeed;
      if (fewer) break;
    }
    ComparisonCell cell = GatherCell(std::move(runs));
    cell.fewer_seeds = fewer;
    return cell;
  }

 private:
  // What an earlier run with the same parameters left, or a new one.
  absl::StatusOr<RunFigures> RunSeed(int seed) {
    run_.seed = static_cast<uint64_t>(seed);
    run_.out = out_ / absl::StrCat("seed-", seed);
    if (const auto done = ReadDone()) return *done;
    LogInfo("comparison: %s", run_.out.string());
    SLICE_ASSIGN_OR_RETURN(const TrainingReport report, RunMethod(run_));
    return FiguresOf(report, options_.facts);
  }

  std::optional<RunFigures> ReadDone() const {
    if (const auto json = ReadFile(run_.out / "report.json"); json.ok()) {
      const auto report = ReportFromJson(*json);
      if (report.ok()) {
        RunFigures run = FiguresOf(*report, options_.facts);
        if (run.parameters == Parameters()) return run;
      }
    }
    for (const auto& [set, method, run] : earlier_) {
      if (set == set_ && method == info_.name && run.seed == run_.seed &&
          run.parameters == Parameters()) {
        return run;
      }
    }
    return std::nullopt;
  }

  std::string Parameters() const {
    if (!info_.preset.empty()) return absl::StrCat("preset=", info_.preset);
    return ParameterValues::Parse(info_.parameters, {})->ToString();
  }

  const ComparisonOptions& options_;
  const std::string& set_;
  const MethodInfo& info_;
  const std::span<const ComparedRun> earlier_;
  const fs::path out_;
  MethodRunOptions run_;
};

}  // namespace

ComparisonCell GatherCell(std::vector<RunFigures> runs) {
  ComparisonCell cell;
  cell.seeds = static_cast<int>(runs.size());
  if (runs.empty()) return cell;
  cell.parameters = runs[0].parameters;
  const auto over = [&runs](double RunFigures::*figure) {
    std::vector<double> values;
    for (const RunFigures& run : runs) values.push_back(run.*figure);
    return Summarize(values);
  };
  cell.auroc = over(&RunFigures::auroc);
  cell.average_precision = over(&RunFigures::average_precision);
  cell.f1 = over(&RunFigures::f1);
  cell.typed_auroc = over(&RunFigures::typed_auroc);
  cell.degree_matched_auroc = over(&RunFigures::degree_matched_auroc);
  cell.mrr = over(&RunFigures::mrr);
  cell.hits_1 = over(&RunFigures::hits_1);
  cell.hits_3 = over(&RunFigures::hits_3);
  cell.hits_10 = over(&RunFigures::hits_10);
  cell.seconds = over(&RunFigures::seconds);
  cell.peak_mib = over(&RunFigures::peak_mib);
  cell.runs = std::move(runs);
  return cell;
}

absl::StatusOr<Comparison> Compare(const ComparisonOptions& options) {
  Comparison comparison;
  SLICE_ASSIGN_OR_RETURN(comparison.sets, SetsOf(options));
  SLICE_ASSIGN_OR_RETURN(const auto methods, MethodsOf(options));
  std::vector<ComparedRun> earlier;
  if (!options.from.empty()) {
    SLICE_ASSIGN_OR_RETURN(earlier, ReadComparedRuns(options.from));
  }
  for (const MethodInfo* info : methods) {
    ComparisonRow row{info->name, info->title, !info->preset.empty(), {}};
    for (const std::string& set : comparison.sets) {
      row.cells.push_back(CellRunner(options, set, *info, earlier).Run());
    }
    comparison.rows.push_back(std::move(row));
  }
  comparison.facts = FactLines(comparison, options.facts);
  for (std::string line :
       {absl::StrCat(options.threads > 0 ? options.threads : HardwareThreads(),
                     " threads"),
        absl::StrCat("at most ", absl::FormatDuration(options.budget),
                     " of training per run"),
        absl::StrCat(options.seeds, " seeds where a run takes under ",
                     absl::FormatDuration(absl::Seconds(kSecondsForOneSeed))),
        absl::StrCat("ranked: all test links, ", kSampledPositives,
                     " by methods that learn nothing and by slice")}) {
    comparison.facts.push_back(std::move(line));
  }
  return comparison;
}

}  // namespace slice
