// The options of a comparison and its result: figures by method and data set.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TYPES_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TYPES_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "trainer/methods/comparison/comparison_runs.h"
#include "trainer/report/report_parts.h"
#include "trainer/report/report_summary.h"

namespace slice {

struct ComparisonOptions {
  // A folder with one folder per data set. Each of these holds the files train,
  // valid, test and, optionally, nodes, each as .txt or .tsv.
  std::filesystem::path datasets;
  std::vector<std::string> sets;     // names of data sets; empty: all
  std::vector<std::string> methods;  // empty: all
  int seeds = 3;                     // seeds 1, 2, ... up to this number
  absl::Duration budget = absl::Minutes(30);  // of each training
  // Receives the reports of the runs, then comparison.{json,md,html}.
  std::filesystem::path out;
  int threads = 0;
  // Labels for the report of every new run, such as the commit and the machine.
  // The tables list the labels of all runs.
  std::vector<NamedValue> labels;
  // The comparison.json of an earlier comparison. Its runs with the same
  // parameters on the same data are reused, and leads of slice that are of
  // reused runs. Optional.
  std::filesystem::path from;
  // On graphs with at least this many relations, test links are ranked as well.
  // With few relations the type of a target almost tells the relation, so that
  // a ranking measures little.
  size_t least_ranked_relations = 16;
  // Run nothing: the tables have the runs that exist, whatever their budget.
  bool table_only = false;
};

// One method on one data set.
struct ComparisonCell {
  std::string error;             // why a run failed, or why there is none
  std::vector<RunFigures> runs;  // seed by seed
  bool fewer_seeds = false;      // a run took too long for more seeds
  // By how much slice is ahead; nothing when it was not measured.
  std::optional<ScoreDifference> lead_of_slice;

  // Mean and deviation of one figure over the runs.
  MeanDeviation Over(double RunFigures::*figure) const;
};

// One method on all data sets.
struct ComparisonRow {
  std::string method, title;
  bool is_ours = false;               // a preset of slice
  std::vector<ComparisonCell> cells;  // by data set
};

struct Comparison {
  std::vector<std::string> sets;
  std::vector<ComparisonRow> rows;
  std::vector<std::string> facts;  // lines about the machine and the runs
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TYPES_H_
