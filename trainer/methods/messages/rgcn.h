// Relational graph convolutional networks as a comparison method.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_RGCN_H_
#define SLICE_TRAINER_METHODS_MESSAGES_RGCN_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo RgcnMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_RGCN_H_
