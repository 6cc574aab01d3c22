#include "trainer/methods/comparison.h"

#include <algorithm>
#include <functional>
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
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/method_registry.h"

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

std::string FactOf(const TrainingReport& report, const std::string& name) {
  for (const NamedValue& fact : report.facts) {
    if (fact.name == name) return fact.value;
  }
  return "";
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
        for (const NamedValue& fact : cell.facts) {
          if (fact.name == name.name) AddFact(fact, values);
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
             const MethodInfo& info)
      : options_(options), info_(info), out_(options.out / set / info.name) {
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
    std::vector<TrainingReport> reports;
    bool fewer = false;
    const int seeds = info_.learns ? options_.seeds : 1;
    for (int seed = 1; seed <= seeds; ++seed) {
      const auto report = RunSeed(seed);
      if (!report.ok()) {
        ComparisonCell failed;
        failed.error = std::string(report.status().message());
        LogWarning("%s: %s", out_.string(), failed.error);
        return failed;
      }
      reports.push_back(*report);
      fewer = seeds > 1 && SecondsOf(*report) > kSecondsForOneSeed;
      if (fewer) break;
    }
    ComparisonCell cell = GatherCell(reports, options_.facts);
    cell.fewer_seeds = fewer;
    return cell;
  }

 private:
  // What an earlier run with the same parameters left, or a new one.
  absl::StatusOr<TrainingReport> RunSeed(int seed) {
    run_.seed = static_cast<uint64_t>(seed);
    run_.out = out_ / absl::StrCat("seed-", seed);
    if (const auto done = ReadDone()) return *done;
    LogInfo("comparison: %s", run_.out.string());
    return RunMethod(run_);
  }

  std::optional<TrainingReport> ReadDone() const {
    const auto json = ReadFile(run_.out / "report.json");
    if (!json.ok()) return std::nullopt;
    auto report = ReportFromJson(*json);
    if (!report.ok()) return std::nullopt;
    const auto defaults = ParameterValues::Parse(info_.parameters, {});
    const std::string wanted = info_.preset.empty()
                                   ? defaults->ToString()
                                   : absl::StrCat("preset=", info_.preset);
    if (FactOf(*report, "parameters") != wanted) return std::nullopt;
    return *std::move(report);
  }

  const ComparisonOptions& options_;
  const MethodInfo& info_;
  const fs::path out_;
  MethodRunOptions run_;
};

// The figures of one kind over all reports.
MeanDeviation Over(const std::vector<TrainingReport>& reports,
                   const std::function<double(const TrainingReport&)>& value) {
  std::vector<double> values;
  for (const TrainingReport& report : reports) values.push_back(value(report));
  return Summarize(values);
}

BinaryMetrics MetricsOn(const TrainingReport& report, std::string_view set) {
  for (const ResultTable& table : report.results) {
    if (table.key == set && !table.rows.empty()) return table.rows[0].metrics;
  }
  BinaryMetrics none;
  none.auroc = none.average_precision = none.f1 = kNotMeasured;
  return none;
}

RankingFigures RankingOf(const TrainingReport& report) {
  for (const RankingTable& table : report.rankings) {
    // Other tables rank among the nodes of a slot alone.
    if (table.title == kRankingAmongAll && !table.rows.empty()) {
      return table.rows[0].figures;
    }
  }
  return {};
}

}  // namespace

ComparisonCell GatherCell(const std::vector<TrainingReport>& reports,
                          const std::vector<NamedValue>& facts) {
  using Report = TrainingReport;
  ComparisonCell cell;
  cell.seeds = static_cast<int>(reports.size());
  if (reports.empty()) return cell;
  cell.parameters = FactOf(reports[0], "parameters");
  for (const NamedValue& fact : facts) {
    for (const TrainingReport& report : reports) {
      AddFact({fact.name, FactOf(report, fact.name)}, cell.facts);
    }
  }
  cell.auroc = Over(reports, [](const Report& report) {
    return MetricsOn(report, "published").auroc;
  });
  cell.average_precision = Over(reports, [](const Report& report) {
    return MetricsOn(report, "published").average_precision;
  });
  cell.f1 = Over(reports, [](const Report& report) {
    return MetricsOn(report, "published").f1;
  });
  cell.typed_auroc = Over(reports, [](const Report& report) {
    return MetricsOn(report, "typed").auroc;
  });
  cell.degree_matched_auroc = Over(reports, [](const Report& report) {
    return MetricsOn(report, "degree_matched").auroc;
  });
  const auto ranking = [&](double RankingFigures::*figure) {
    return Over(reports, [figure](const Report& report) {
      return RankingOf(report).*figure;
    });
  };
  cell.mrr = ranking(&RankingFigures::mrr);
  cell.hits_1 = ranking(&RankingFigures::hits_1);
  cell.hits_3 = ranking(&RankingFigures::hits_3);
  cell.hits_10 = ranking(&RankingFigures::hits_10);
  cell.seconds = Over(reports, SecondsOf);
  cell.peak_mib = Over(reports, PeakMibOf);
  return cell;
}

absl::StatusOr<Comparison> Compare(const ComparisonOptions& options) {
  Comparison comparison;
  SLICE_ASSIGN_OR_RETURN(comparison.sets, SetsOf(options));
  SLICE_ASSIGN_OR_RETURN(const auto methods, MethodsOf(options));
  for (const MethodInfo* info : methods) {
    ComparisonRow row{info->name, info->title, !info->preset.empty(), {}};
    for (const std::string& set : comparison.sets) {
      row.cells.push_back(CellRunner(options, set, *info).Run());
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
