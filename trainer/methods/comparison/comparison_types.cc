#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

MeanDeviation ComparisonCell::Over(double RunFigures::*figure) const {
  std::vector<double> values;
  for (const RunFigures& run : runs) values.push_back(run.*figure);
  return Summarize(values);
}

}  // namespace slice
