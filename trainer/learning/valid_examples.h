// The examples by which training decides when to stop.
#ifndef SLICE_TRAINER_LEARNING_VALID_EXAMPLES_H_
#define SLICE_TRAINER_LEARNING_VALID_EXAMPLES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/labelled_link.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/learning/training_example.h"

namespace slice {

// The examples that early stopping measures. For the question "plausible" they
// are the rows of `valid`. For "among kind" they are the positives of `valid`
// and, for each, a negative whose target is drawn once, uniformly among the
// targets of the relation. A draw that is a link of the graph or a positive of
// `valid` is left out. All these examples have TrainingExample::held_out set.
std::vector<TrainingExample> ValidExamples(std::span<const LabelledLink> valid,
                                           const NegativeSampler& sampler,
                                           uint64_t seed);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_VALID_EXAMPLES_H_
