// A question for recommendations and its answer, as plain structs.
#ifndef SLICE_CLIENT_RECOMMEND_TYPES_H_
#define SLICE_CLIENT_RECOMMEND_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "client/explanation_types.h"
#include "client/link_types.h"

namespace slice {

// Asks which nodes are the best other end of a link.
struct RecommendQuery {
  NodeQuery known;
  bool known_is_source = true;  // false: asks for the best sources
  std::string relation;
  size_t k = 10;                      // 1 to 1,000
  std::string type;                   // of the nodes; empty: any
  bool include_existing = false;      // also nodes that are linked so already
  std::vector<NodeQuery> candidates;  // empty: all nodes that fit
};

struct RecommendedNode {
  size_t rank = 0;  // from 1 on
  NodeInfo node;
  float score = 0;        // nodes are in the order of it
  bool reranked = false;  // scored with a context
  float probability = 0;
  bool decision = false;
  float probability_among_kind = 0;
  // The path behind the recommendation, from source to target. The tokens'
  // positions are not used.
  std::vector<ExplainedStep> metapath;
  uint64_t metapath_count = 0;  // paths of that type; 0: not counted
};

struct RecommendedNodes {
  std::vector<RecommendedNode> nodes;  // the best first
  bool best_so_far = false;            // the deadline ended the ranking early
  uint64_t candidate_count = 0;
  std::string scorer;
  AnswerSource from;
};

}  // namespace slice

#endif  // SLICE_CLIENT_RECOMMEND_TYPES_H_
