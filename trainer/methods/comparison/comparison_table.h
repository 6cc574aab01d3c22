// The table of one data set, as Markdown and page show it.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

struct ComparisonTableRow {
  bool is_ours = false;
  std::string error;                // in the place of figures
  std::vector<std::string> values;  // by column; the first alone with an error
};

// Without the columns that would be empty: of a ranking where nothing was
// ranked, of the paper where it has no figure.
struct ComparisonTable {
  std::vector<std::string> columns;
  std::vector<ComparisonTableRow> rows;
};
ComparisonTable TableOf(const Comparison& comparison, size_t set);

// What the columns are.
std::string ComparisonLegend();

// "GCN: dim=64 …", a line per method that has parameters.
std::vector<std::string> ParameterLines(const Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_
