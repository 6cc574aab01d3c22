// node2vec as a comparison method.
#ifndef SLICE_TRAINER_METHODS_WALKS_NODE2VEC_METHOD_H_
#define SLICE_TRAINER_METHODS_WALKS_NODE2VEC_METHOD_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo Node2vecMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_NODE2VEC_METHOD_H_
