// A link made ready for scoring.
#ifndef SLICE_CONTEXT_ENCODED_LINK_H_
#define SLICE_CONTEXT_ENCODED_LINK_H_

#include <vector>

#include "context/context_subgraph.h"
#include "graphstore/types.h"

namespace slice {

struct EncodedLink {
  Link link;
  std::vector<ContextSubgraph> contexts;  // contexts_per_link of them
  std::vector<float> pair_features;  // scaled; empty when the model uses none
  // False in training where the embeddings were learned from the link. Its
  // tokens are then scored without embeddings (docs/leakage.md).
  bool has_embeddings = true;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_ENCODED_LINK_H_
