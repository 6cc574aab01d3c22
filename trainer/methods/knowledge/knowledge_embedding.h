// Knowledge graph embeddings: a relation moves the vector of the known end of a
// question (the anchor) to a point, near which the answers should lie.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_EMBEDDING_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_EMBEDDING_H_

#include "trainer/methods/link_method.h"

namespace slice {

// "transe" moves by a translation (Bordes et al., NeurIPS 2013). The other
// three are the Euclidean methods of Chami et al. (ACL 2020): "rote" moves by
// rotations, "refe" by reflections, and "atte" by both, weighted by attention.
MethodInfo TranseMethod();
MethodInfo RoteMethod();
MethodInfo RefeMethod();
MethodInfo AtteMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_EMBEDDING_H_
