// CompGCN: graph convolutions that also give relations vectors.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_H_
#define SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_H_

#include "trainer/methods/link_method.h"

namespace slice {

// Vashishth et al., ICLR 2020.
MethodInfo CompGcnMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_COMPGCN_H_
