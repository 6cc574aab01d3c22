// Methods that learn nothing: the scores of trainer/evaluation/baselines.h.
#ifndef SLICE_TRAINER_METHODS_UNTRAINED_METHODS_H_
#define SLICE_TRAINER_METHODS_UNTRAINED_METHODS_H_

#include <vector>

#include "trainer/methods/link_method.h"

namespace slice {

// The methods popularity, common-neighbors, adamic-adar and three-path.
std::vector<MethodInfo> UntrainedMethods();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_UNTRAINED_METHODS_H_
