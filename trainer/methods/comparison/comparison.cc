// Compare() finds the data sets and methods, reads the earlier runs of --from,
// and fills the table cell by cell. For each cell, CellRunner
// (trainer/methods/comparison/comparison_cells.h) runs one method on one data
// set or reuses its finished runs.
//
// The facts above the tables come from the labels of all runs, not from this
// process: a reused run may stem from another commit or machine.
#include "trainer/methods/comparison/comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "trainer/methods/comparison/comparison_cells.h"
#include "trainer/methods/comparison/paired_comparison.h"
#include "trainer/methods/method_registry.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// The first required file that a data set lacks; empty when it has all.
std::string MissingFile(const fs::path& folder) {
  for (const std::string name : {"train", "valid", "test"}) {
    if (FindDataFile(folder, name).empty()) {
      return absl::StrCat(name, ".txt and no ", name, ".tsv");
    }
  }
  return "";
}

absl::StatusOr<std::vector<std::string>> SetsOf(
    const ComparisonOptions& options) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(options.datasets, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code not_a_folder;
    if (!entry->is_directory(not_a_folder)) continue;
    const std::string missing = MissingFile(entry->path());
    if (missing.empty()) {
      found.push_back(entry->path().filename().string());
    } else {
      LogWarning("%s is left out: it has no %s", entry->path().string(),
                 missing);
    }
  }
  if (error) return FileError("list", options.datasets, error.value());
  std::sort(found.begin(), found.end());
  if (found.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no folder of ", options.datasets.string(),
                     " holds train, valid and test, each as .txt or .tsv"));
  }
  for (const std::string& name : options.sets) {
    if (std::find(found.begin(), found.end(), name) == found.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
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
    if (std::find(methods.begin(), methods.end(), info) == methods.end()) {
      methods.push_back(info);
    }
  }
  return methods;
}

void AddOnce(const std::string& value, std::vector<std::string>& values) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(value);
  }
}

std::vector<const RunFigures*> AllRuns(const Comparison& comparison) {
  std::vector<const RunFigures*> runs;
  for (const ComparisonRow& row : comparison.rows) {
    for (const ComparisonCell& cell : row.cells) {
      for (const RunFigures& run : cell.runs) runs.push_back(&run);
    }
  }
  return runs;
}

// One line for each label name, with the values that the label has over all
// runs, such as "commit: 12ab, 34cd".
std::vector<std::string> LabelLines(const Comparison& comparison) {
  const std::vector<const RunFigures*> runs = AllRuns(comparison);
  std::vector<std::string> names, lines;
  for (const RunFigures* run : runs) {
    for (const NamedValue& label : run->labels) AddOnce(label.name, names);
  }
  for (const std::string& name : names) {
    std::vector<std::string> values;
    for (const RunFigures* run : runs) {
      const std::string value = ValueOf(run->labels, name);
      AddOnce(value.empty() ? "unknown" : value, values);
    }
    lines.push_back(absl::StrCat(name, ": ", absl::StrJoin(values, "; ")));
  }
  return lines;
}

bool AnyRanked(const Comparison& comparison) {
  const auto runs = AllRuns(comparison);
  return std::any_of(runs.begin(), runs.end(), [](const RunFigures* run) {
    return !std::isnan(run->mrr);
  });
}

std::vector<std::string> FactsOf(const Comparison& comparison,
                                 const ComparisonOptions& options) {
  std::vector<std::string> facts = LabelLines(comparison);
  if (options.seeds > 1) {
    facts.push_back(
        absl::StrCat("up to ", options.seeds, " seeds where a run takes under ",
                     absl::FormatDuration(absl::Seconds(kLongRunSeconds))));
  }
  if (AnyRanked(comparison)) {
    facts.push_back(absl::StrCat("ranked: all test links, ", kSampledPositives,
                                 " by slice, structural and methods that "
                                 "learn nothing"));
  }
  return facts;
}

}  // namespace

absl::StatusOr<Comparison> Compare(const ComparisonOptions& options) {
  Comparison comparison;
  SLICE_ASSIGN_OR_RETURN(comparison.sets, SetsOf(options));
  SLICE_ASSIGN_OR_RETURN(const auto methods, MethodsOf(options));
  std::vector<ComparedCell> earlier;
  if (!options.from.empty()) {
    SLICE_ASSIGN_OR_RETURN(earlier, ReadComparedCells(options.from));
  }
  const size_t cells = methods.size() * comparison.sets.size();
  size_t done = 0;
  for (const MethodInfo* info : methods) {
    ComparisonRow row{info->name, info->title, !info->preset.empty(), {}};
    for (const std::string& set : comparison.sets) {
      row.cells.push_back(CellRunner(options, set, *info, earlier)
                              .Run(absl::StrCat(++done, " of ", cells)));
    }
    comparison.rows.push_back(std::move(row));
  }
  AddLeads(options, earlier, comparison);
  comparison.facts = FactsOf(comparison, options);
  return comparison;
}

}  // namespace slice
