#include "trainer/report/report.h"

namespace slice {

BinaryMetrics TrainingReport::Overall() const {
  for (const ResultTable& table : results) {
    if (table.key == "published" && !table.rows.empty()) {
      return table.rows[0].metrics;
    }
  }
  return {};
}

}  // namespace slice
