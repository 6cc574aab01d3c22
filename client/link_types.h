// The questions of a client and the answers of a server as plain structs, so
// that users of the library need no protobuf or gRPC type.
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

namespace slice {

// A node as the caller names it: by key, name or "type:name". For the server a
// key takes precedence over an equal name.
struct NodeQuery {
  std::string text;
  // `text` is taken as a key only.
  bool exact_key = false;
};

struct LinkQuery {
  NodeQuery source;
  std::string relation;
  NodeQuery target;
};

// The request class of a call: chosen by the server from the number of links,
// or bulk, which gets the work that interactive requests leave, and at least a
// tenth.
enum class PredictClass { kByCount, kBulk };

struct ScoredLink {
  // The error of this link alone. The fields below are unset unless it is OK.
  absl::Status status;
  NodeInfo source;
  std::string relation;
  NodeInfo target;
  float logit = 0;  // logit_structural + logit_context
  float logit_structural = 0;
  float logit_context = 0;
  float probability = 0;  // among all pairs of nodes
  bool decision = false;
  // Among the nodes that the relation could lead to.
  float probability_among_kind = 0;
  std::string scorer;  // that answered
  std::optional<LinkExplanation> explanation;
};

struct ScoredLinks {
  std::vector<ScoredLink> links;  // in the order of the query
  AnswerSource from;
};

struct RelationInfo {
  std::string name;
  uint64_t links = 0;
  std::vector<std::string> source_types;  // most frequent first
  std::vector<std::string> target_types;
};

struct RelationList {
  std::vector<RelationInfo> relations;
  AnswerSource from;
};

struct NeighborInfo {
  NodeInfo node;
  std::string relation;
  ArcDirection direction = ArcDirection::kOut;
};

struct NeighborQuery {
  NodeQuery node;
  std::string relation;  // empty = all
  ArcDirection direction = ArcDirection::kBoth;
  size_t limit = 100;
};

struct FoundNeighbors {
  NodeInfo node;
  std::vector<NeighborInfo> neighbors;
  uint64_t total = 0;  // neighbours that fit, listed or not
  AnswerSource from;
};

struct FindQuery {
  std::string prefix;  // empty = all
  std::string type;    // empty = any
  size_t limit = 20;
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
