// The table of one data set, for the Markdown and for the page.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

struct ComparisonTableRow {
  bool is_ours = false;
  std::string error;  // the reason of a failure, instead of figures
  std::vector<std::string> values;  // by column; with an error the title only
};

// Leaves out columns that would be empty: those of the ranking when nothing was
// ranked, that of the paper when it has no figure for the data set.
struct ComparisonTable {
  std::vector<std::string> columns;
  std::vector<ComparisonTableRow> rows;
};
ComparisonTable TableOf(const Comparison& comparison, size_t set);

// What the columns mean, in full sentences.
std::string ComparisonLegend();

// "GCN: dim=64 …": one line per method with parameters.
std::vector<std::string> ParameterLines(const Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_
