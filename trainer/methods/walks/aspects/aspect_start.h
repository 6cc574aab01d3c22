// The vectors that the training of asp2vec starts from.
#ifndef SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_START_H_
#define SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_START_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/walks/aspects/aspect_skip_gram.h"
#include "trainer/methods/walks/aspects/aspect_walks.h"

namespace slice {

// The part of the budget that the warm start may take is one in this number.
inline constexpr int kWarmPart = 4;

struct AspectStart {
  AspectModel model;
  bool cut_short = false;  // by its part of the budget
};

// Trains skip-gram on the parameter warm_walks of walks from each start: its
// input vectors are the centres. Every aspect vector of a node is the node's
// output vector plus noise, so that aspects differ from the first step on. (The
// authors start both from the mean of the two vectors.) Without warm walks all
// vectors are random.
// Skip-gram runs on one thread, so that the number of threads changes nothing.
// The errors of TrainOnWalks.
absl::StatusOr<AspectStart> StartAspects(const MethodInput& input,
                                         const ParameterValues& parameters,
                                         const AspectWalks& walks);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_START_H_
