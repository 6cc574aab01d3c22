// A comparison as one self-contained HTML page.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_PAGE_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_PAGE_H_

#include <string>

#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

// Shows the paper's figures beside the measured ones. The figures of the paper
// rest on splits that leak (docs/leakage.md).
std::string ComparisonHtml(const Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_PAGE_H_
