// HGT: the heterogeneous graph transformer.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_HGT_H_
#define SLICE_TRAINER_METHODS_MESSAGES_HGT_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo HgtMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_HGT_H_
