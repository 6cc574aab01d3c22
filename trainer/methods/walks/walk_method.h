// What the methods that train on walks have in common.
#ifndef SLICE_TRAINER_METHODS_WALKS_WALK_METHOD_H_
#define SLICE_TRAINER_METHODS_WALKS_WALK_METHOD_H_

#include <span>
#include <vector>

#include "trainer/embedding/walk_training.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/method_parameters.h"

namespace slice {

// The parameters dim, walks_per_node, walk_length, window and negatives, in
// this order.
std::vector<MethodParameter> WalkParameters(int walks_per_node);
// The parameter learning_rate.
MethodParameter WalkLearningRate();

// The options of skip-gram, as the parameters set them.
WalkTrainingOptions WalkTrainingOptionsOf(const MethodInput& input,
                                          const ParameterValues& parameters);

// Estimates the memory of a training in MiB, for MethodInfo::memory.
double EstimateWalkMib(const MethodInput& input,
                       const ParameterValues& parameters);

// The summary of a training over `passes` passes with these mean losses.
// `cut_short` says whether the budget of `input` ended it.
MethodSummary SummarizeWalks(const MethodInput& input, int passes,
                             std::span<const double> losses, bool cut_short);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WALK_METHOD_H_
