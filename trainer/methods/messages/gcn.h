// Graph convolutional networks as a comparison method.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GCN_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GCN_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo GcnMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GCN_H_
