// Makes the table of one data set, for the Markdown file and for the HTML page.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

struct ComparisonTableRow {
  bool is_ours = false;
  std::string error;  // why the method failed; empty when it did not
  // By column. After a failure, the title of the method alone.
  std::vector<std::string> values;
};

// Columns that would be empty are left out: those of the ranking when nothing
// was ranked, and that of the paper when the paper has no figure for the data
// set.
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
