// A query for recommendations and its answer, as plain structs.
#ifndef SLICE_CLIENT_RECOMMEND_TYPES_H_
#define SLICE_CLIENT_RECOMMEND_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client/explanation_types.h"
#include "client/link_types.h"

namespace slice {

// One end of a link is known: asks which nodes fit best as its other end.
struct RecommendQuery {
  NodeQuery known;
  bool known_is_source = true;  // false: asks for the best sources
  std::string relation;
  size_t k = 10;                  // 1 to 1,000
  std::string type;               // of the nodes; empty: any
  bool include_existing = false;  // also nodes that have such a link already
  std::vector<NodeQuery> candidates;  // only these; empty: all nodes that fit
  WhatIfQuery what_if;
};

struct RecommendedNode {
  size_t rank = 0;  // from 1 on
  NodeInfo node;
  // Can be compared only between nodes with the same value of `reranked`.
  float score = 0;
  // True: the score comes from RecommendedNodes::scorer. False: it comes from
  // the structural scorer.
  bool reranked = false;
  float probability = 0;
  bool decision = false;
  float probability_among_kind = 0;
  // The path behind the recommendation, from source to target.
  // ExplainedStep::token is not used.
  std::vector<ExplainedStep> metapath;
  uint64_t metapath_count = 0;  // paths of that type; 0: not counted
  AnswerFlags flags;
};

struct RecommendedNodes {
  std::vector<RecommendedNode> nodes;  // the best first
  bool best_so_far = false;            // the deadline ended the ranking early
  uint64_t candidate_count = 0;        // how many nodes were ranked
  std::string scorer;  // the scorer that ranked the best nodes again
  // The positions of the imagined changes that changed nothing.
  std::vector<size_t> without_effect;
  AnswerSource from;
};

}  // namespace slice

#endif  // SLICE_CLIENT_RECOMMEND_TYPES_H_
