// Recommendations as plain structs.
#ifndef SLICE_CLIENT_RECOMMEND_TYPES_H_
#define SLICE_CLIENT_RECOMMEND_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client/explanation_types.h"
#include "client/link_types.h"

namespace slice {

// Which ends would suit a link best.
struct RecommendQuery {
  NodeQuery known;
  bool known_is_source = true;  // else the best sources are asked for
  std::string relation;
  size_t k = 10;                      // 1 to 1,000
  std::string type;                   // empty = all that fit
  bool include_existing = false;      // also what the graph links already
  std::vector<NodeQuery> candidates;  // empty = all that fit
};

struct RecommendedNode {
  size_t rank = 0;  // from 1 on
  NodeInfo node;
  float score = 0;  // what the order is made of
  bool reranked = false;
  float probability = 0;
  bool decision = false;
  float probability_among_kind = 0;
  // The path behind it, from source to target; positions mean nothing.
  std::vector<ExplainedStep> metapath;
  uint64_t metapath_count = 0;  // 0: not counted
};

struct RecommendedNodes {
  std::vector<RecommendedNode> nodes;  // the best first
  bool best_so_far = false;            // the deadline cut the ranking short
  uint64_t candidate_count = 0;
  std::string scorer;
  AnswerSource from;
};

}  // namespace slice

#endif  // SLICE_CLIENT_RECOMMEND_TYPES_H_
