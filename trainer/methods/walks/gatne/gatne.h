// GATNE-T (Cen et al., KDD 2019): a vector per node and relation, learnt by
// skip-gram over walks within each relation.
#ifndef SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_H_
#define SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_H_

#include "trainer/methods/link_method.h"

namespace slice {

MethodInfo GatneMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_GATNE_GATNE_H_
