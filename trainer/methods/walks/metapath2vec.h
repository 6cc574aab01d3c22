// metapath2vec and metapath2vec++ as comparison methods.
#ifndef SLICE_TRAINER_METHODS_WALKS_METAPATH2VEC_H_
#define SLICE_TRAINER_METHODS_WALKS_METAPATH2VEC_H_

#include "trainer/methods/link_method.h"

namespace slice {

// Dong, Chawla and Swami, KDD 2017.
MethodInfo Metapath2vecMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_METAPATH2VEC_H_
