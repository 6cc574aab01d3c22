// Graph attention networks as a comparison method.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GAT_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GAT_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo GatMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GAT_H_
