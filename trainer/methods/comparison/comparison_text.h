// A comparison as JSON and as Markdown.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TEXT_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TEXT_H_

#include <string>

#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

// One JSON object with every run. Each method of a data set has a line of its
// own.
std::string ComparisonJson(const Comparison& comparison);

// A table per data set. Shows the paper's figures beside the measured ones; the
// figures of the paper rest on splits that leak (docs/leakage.md).
std::string ComparisonMarkdown(const Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TEXT_H_
