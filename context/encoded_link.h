// A link made ready for scoring.
#ifndef SLICE_CONTEXT_ENCODED_LINK_H_
#define SLICE_CONTEXT_ENCODED_LINK_H_

#include <array>
#include <vector>

#include "context/context_subgraph.h"
#include "context/knowledge_vectors.h"
#include "context/link_flags.h"
#include "graphstore/types.h"

namespace slice {

// The embedding of a node that the bundle does not know.
struct UnknownEmbedding {
  NodeId node = kNoNode;
  std::vector<float> values;  // [dim], by UnknownNodes
};

struct EncodedLink {
  Link link;
  std::vector<ContextSubgraph> contexts;  // LinkEncoderOptions says how many
  std::vector<float> pair_features;  // scaled; empty when the model uses none
  // False only in training, for a link from which the embeddings were learned.
  // The tokens are then scored without embeddings (docs/leakage.md).
  bool has_embeddings = true;
  // Of the tokens' nodes, those that the bundle does not know.
  std::vector<UnknownEmbedding> unknown_nodes;
  LinkFlags flags;
  // KnowledgeVectors::Logits; zeros without such vectors.
  std::array<float, KnowledgeVectors::kQuestions> knowledge_logits = {};
};

}  // namespace slice

#endif  // SLICE_CONTEXT_ENCODED_LINK_H_
