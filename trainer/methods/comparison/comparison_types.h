// What a comparison is asked for and what it finds: methods by data set.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TYPES_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TYPES_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "trainer/methods/comparison/comparison_runs.h"
#include "trainer/report/report_parts.h"
#include "trainer/report/report_summary.h"

namespace slice {

struct ComparisonOptions {
  // Folders with train.txt, valid.txt, test.txt and perhaps nodes.tsv, one per
  // data set.
  std::filesystem::path datasets;
  std::vector<std::string> sets;              // of these folders; empty: all
  std::vector<std::string> methods;           // empty: all
  int seeds = 3;                              // 1 to so many
  absl::Duration budget = absl::Minutes(30);  // of each training
  std::filesystem::path
      out;  // receives the runs, then comparison.{json,md,html}
  int threads = 0;
  // Of every new run's report; the tables tell those of all runs: the commit,
  // the machine.
  std::vector<NamedValue> labels;
  // The comparison.json of an earlier comparison: its runs with the same
  // parameters on the same data are not run again. Optional.
  std::filesystem::path from;
  // Graphs with at least so many relations are ranked as well: of few relations
  // a target follows from its type.
  size_t ranked_relations = 16;
};

// One method on one data set.
struct ComparisonCell {
  std::string error;             // why there are no runs; empty when there are
  std::vector<RunFigures> runs;  // seed by seed
  bool fewer_seeds = false;      // a run takes too long for more

  // Of one figure, over the runs.
  MeanDeviation Over(double RunFigures::*figure) const;
};

struct ComparisonRow {
  std::string method, title;
  bool is_ours = false;
  std::vector<ComparisonCell> cells;  // by data set
};

struct Comparison {
  std::vector<std::string> sets;
  std::vector<ComparisonRow> rows;
  std::vector<std::string> facts;  // of the machine and the runs
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TYPES_H_
