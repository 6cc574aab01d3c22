// asp2vec (Park, Yang, Zhu, Kim, Yu and Han, KDD 2020): skip-gram in which
// every node has several aspect vectors, and each window of a walk chooses
// among the aspects.
#ifndef SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASP2VEC_H_
#define SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASP2VEC_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo Asp2vecMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASP2VEC_H_
