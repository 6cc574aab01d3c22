// Watch Your Step (Abu-El-Haija et al., NeurIPS 2018): vectors whose products
// tell how often walks go from one node to another, with a learnt attention to
// the steps of a walk. The paper of slice calls it GAN.
#ifndef SLICE_TRAINER_METHODS_WALKS_WATCH_YOUR_STEP_H_
#define SLICE_TRAINER_METHODS_WALKS_WATCH_YOUR_STEP_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo WatchYourStepMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WATCH_YOUR_STEP_H_
