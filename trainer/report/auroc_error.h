// How sure an AUROC is.
#ifndef SLICE_TRAINER_REPORT_AUROC_ERROR_H_
#define SLICE_TRAINER_REPORT_AUROC_ERROR_H_

#include "trainer/metrics.h"

namespace slice {

// The standard error of an AUROC from its value and the numbers of links and
// non-links alone (Hanley and McNeil, 1982, equation 2). NaN when AUROC or a
// class is missing.
double AurocStandardError(const BinaryMetrics& metrics);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_AUROC_ERROR_H_
