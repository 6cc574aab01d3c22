// Knowledge graph embeddings: a relation moves the vector of an anchor to the
// point where its answers lie.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_EMBEDDING_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_EMBEDDING_H_

#include "trainer/methods/link_method.h"

namespace slice {

// "transe", "rote" and "refe": by a translation (Bordes et al., NeurIPS 2013),
// by rotations, by reflections or by both under attention (Chami et al., ACL
// 2020).
MethodInfo TranseMethod();
MethodInfo RoteMethod();
MethodInfo RefeMethod();

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_EMBEDDING_H_
