// A batch of encoded links as plain arrays, in the layout of the TorchScript
// contract (docs/model-contract.md). It has no Torch type, because the server
// forms batches and may not include LibTorch.
#ifndef SLICE_MODEL_CONTEXT_BATCH_H_
#define SLICE_MODEL_CONTEXT_BATCH_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "context/link_encoder.h"

namespace slice {

// One row per context. The rows of a link are neighbours, and links keep their
// order. T is the number of tokens of the longest context.
struct ContextBatch {
  int64_t links = 0;
  int64_t rows = 0;                // B
  int64_t tokens = 0;              // T
  int64_t token_features_dim = 0;  // Ft
  int64_t pair_features_dim = 0;   // Fp

  // [B, T]; -1 = no node, -2 - i = row i of unknown_embeddings
  std::vector<int64_t> nodes;
  // Of nodes that the bundle does not know: [such tokens, dim]. Mostly empty.
  std::vector<float> unknown_embeddings;
  std::vector<int64_t> kinds;            // [B, T], 0 = padding
  std::vector<int64_t> roles;            // [B, T]
  std::vector<float> token_features;     // [B, T, Ft]
  std::vector<int64_t> token_relations;  // [B, T, 3], signed
  std::vector<int64_t> pair_relations;  // [B, T, T], signed relation from token
                                        // i to token j, 0 none
  std::vector<int64_t> relation;        // [B]
  std::vector<float> pair_features;     // [B, Fp]
  std::vector<int64_t> row_link;        // [B], the link each row belongs to
  std::vector<int64_t> row_tokens;  // [B], tokens of each row before padding
  // [links]; the network does not read them
  std::vector<LinkFlags> flags;
  // [links]; what is added to the logits of the network, by question
  std::vector<std::array<float, KnowledgeVectors::kQuestions>> knowledge_logits;

  // The share of padding in [B, T]: 1 - (sum of row_tokens) / (B T), in [0, 1).
  double PaddingRatio() const;

  // Makes a batch of `links`. REQUIRES: each link has at least one context, and
  // all have the same number of pair features.
  static ContextBatch Assemble(std::span<const EncodedLink* const> links);

  // A batch of the rows `chosen` alone, in that order, padded to the longest of
  // them. `links`, `flags`, `knowledge_logits`
  // and the numbers in `row_link` stay as they are.
  ContextBatch Select(std::span<const int64_t> chosen) const;
};

}  // namespace slice

#endif  // SLICE_MODEL_CONTEXT_BATCH_H_
