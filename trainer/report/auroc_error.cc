#include "trainer/report/auroc_error.h"

#include <cmath>

#include "trainer/report/calibration_parts.h"

namespace slice {

double AurocStandardError(const BinaryMetrics& metrics) {
  if (metrics.positives == 0 || metrics.negatives == 0) return kNotMeasured;
  const double area = metrics.auroc;
  const auto links = static_cast<double>(metrics.positives);
  const auto others = static_cast<double>(metrics.negatives);
  // The chances that two links are above one non-link, and that one link is
  // above two non-links, under exponential scores.
  const double two_links = area / (2 - area);
  const double two_others = 2 * area * area / (1 + area);
  return std::sqrt((area * (1 - area) +
                    (links - 1) * (two_links - area * area) +
                    (others - 1) * (two_others - area * area)) /
                   (links * others));
}

}  // namespace slice
