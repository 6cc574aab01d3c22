// A comparison as JSON and as Markdown.
#ifndef SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TEXT_H_
#define SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TEXT_H_

#include <string>

#include "trainer/methods/comparison/comparison_types.h"

namespace slice {

// One JSON object with every run: a line for each method of a data set.
std::string ComparisonJson(const Comparison& comparison);

// A table per data set. Beside the measured figures stand those of the paper,
// which rest on leaking splits.
std::string ComparisonMarkdown(const Comparison& comparison);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_COMPARISON_COMPARISON_TEXT_H_
