// What a client asks a server and what it answers, as plain structs: no
// protobuf or gRPC type is needed to use the library.
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

// How a caller names a node: by name, "type:name" or key; the server says which
// comes first.
struct NodeQuery {
  std::string text;
  // `text` is a key and nothing else.
  bool exact_key = false;
};

struct LinkQuery {
  NodeQuery source;
  std::string relation;
  NodeQuery target;
};

// How urgent a call for links is: the server's choice by their number, or bulk
// work, which gets what others leave and a tenth at least.
enum class PredictClass { kByCount, kBulk };

struct ScoredLink {
  // Anything but OK concerns this link alone; the fields below are then unset.
  absl::Status status;
  NodeInfo source;
  std::string relation;
  NodeInfo target;
  float logit = 0;  // logit_structural + logit_context
  float logit_structural = 0;
  float logit_context = 0;
  float probability = 0;  // among all pairs of nodes
  bool decision = false;
  // Among the targets that the relation could lead to.
  float probability_among_kind = 0;
  std::string scorer;  // who answered
  std::optional<LinkExplanation> explanation;
};

struct ScoredLinks {
  std::vector<ScoredLink> links;  // in the order asked
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
  uint64_t total = 0;  // all that fit, listed or not
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
