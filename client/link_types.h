// What a client asks and what a server answers, as plain structs, so that users
// of the library need no protobuf or gRPC type.
#ifndef SLICE_CLIENT_LINK_TYPES_H_
#define SLICE_CLIENT_LINK_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/explanation_types.h"
#include "client/model_info.h"
#include "client/node_query.h"
#include "client/what_if_types.h"

namespace slice {

// The request class of a call. kByCount: the server chooses the class by the
// number of links. kBulk: the request is served after interactive ones, but
// bulk requests together get at least a tenth of the server's work.
enum class PredictClass { kByCount, kBulk };

// What a reader should know about a link before trusting its score.
struct AnswerFlags {
  bool exists = false;  // the graph has this link
  bool self = false;    // both ends are one node
  // The end does not fit in its place in links of the relation.
  bool off_schema_source = false, off_schema_target = false;
  bool cold_source = false, cold_target = false;  // the end has no link
  // The end came to the graph after the model was trained.
  bool unknown_source = false, unknown_target = false;
  bool truncated = false;  // not all paths between the ends were searched for
  // What `self` and off schema added to the log-odds of both probabilities.
  double schema_log_odds = 0;
  std::vector<std::string> notes;  // a sentence for each flag that is set
};

struct ScoredLink {
  // The error of this link alone. The fields below are unset unless it is OK.
  absl::Status status;
  NodeInfo source;
  std::string relation;
  NodeInfo target;
  float logit = 0;  // logit_structural + logit_context + logit_knowledge
  float logit_structural = 0;
  float logit_context = 0;
  float logit_knowledge = 0;
  // The probability that the relation links this pair, among all pairs of
  // nodes.
  float probability = 0;
  bool decision = false;          // the probability reaches decision_threshold
  double decision_threshold = 0;  // of the relation; 0: an older server
  // The probability that the target is the right node among those that the
  // relation could lead to.
  float probability_among_kind = 0;
  std::string scorer;  // the scorer that answered
  AnswerFlags flags;
  std::optional<LinkExplanation> explanation;
};

struct ScoredLinks {
  std::vector<ScoredLink> links;  // in the order of the query
  // The positions of the imagined changes that changed nothing.
  std::vector<size_t> without_effect;
  AnswerSource from;
};

struct RelationInfo {
  std::string name;
  uint64_t links = 0;
  // The node types seen at each end, the most frequent first.
  std::vector<std::string> source_types;
  std::vector<std::string> target_types;
};

struct RelationList {
  std::vector<RelationInfo> relations;
  AnswerSource from;
};

// A link of a node, with the neighbour at its other end.
struct NeighborInfo {
  NodeInfo node;
  std::string relation;
  ArcDirection direction = ArcDirection::kOut;
};

struct NeighborQuery {
  NodeQuery node;
  std::string relation;  // empty = all
  ArcDirection direction = ArcDirection::kBoth;
  size_t limit = 100;  // 0 = all
};

struct FoundNeighbors {
  NodeInfo node;
  std::vector<NeighborInfo> neighbors;
  uint64_t total = 0;  // how many links fit the query, listed or not
  AnswerSource from;
};

struct FindQuery {
  std::string prefix;  // empty = all
  std::string type;    // empty = any
  size_t limit = 20;   // 0 = all
};

struct FoundNodes {
  std::vector<NodeInfo> nodes;
  bool more = false;  // the limit cut the list
  std::vector<std::string> near_misses;
  AnswerSource from;
};

enum class ServingState { kUnknown, kServing, kNotServing, kServiceUnknown };

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_TYPES_H_
