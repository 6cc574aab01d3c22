// Which flags of `fit` change nothing beside others.
#ifndef SLICE_TRAINER_IGNORED_FLAGS_H_
#define SLICE_TRAINER_IGNORED_FLAGS_H_

#include <string>
#include <string_view>

#include "trainer/fit/fit_options.h"

namespace slice {

// Why the value of `flag` changes nothing in a run with `options`, such as
// "preset fast trains the structural scorer alone". Empty when it may change
// something. `flag` is a name without leading dashes, spelled with hyphens or
// underscores.
std::string WhyIgnored(const FitOptions& options, std::string_view flag);

}  // namespace slice

#endif  // SLICE_TRAINER_IGNORED_FLAGS_H_
