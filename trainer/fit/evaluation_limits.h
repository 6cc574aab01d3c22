// How many held-out links a run measures on.
#ifndef SLICE_TRAINER_FIT_EVALUATION_LIMITS_H_
#define SLICE_TRAINER_FIT_EVALUATION_LIMITS_H_

#include <cstddef>

#include "trainer/evaluation/model_evaluation.h"
#include "trainer/fit/fit_options.h"

namespace slice {

// Keeps the time of the evaluation below that of training, by the number of
// examples that training learns from. `links` are those of train. A held-out
// row costs about five examples in all, for it and its negatives by the model
// and the baselines. A tenth of an example is one candidate of a question, and
// a question also costs its walk through the graph. A training that is long
// enough for all questions has no such limit.
EvaluationLimits EvaluationLimitsOf(const FitOptions& options, size_t links);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_EVALUATION_LIMITS_H_
