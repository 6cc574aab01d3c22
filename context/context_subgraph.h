// The context of a link: the tokens a model attends over and the typed edges
// among its nodes.
#ifndef SLICE_CONTEXT_CONTEXT_SUBGRAPH_H_
#define SLICE_CONTEXT_CONTEXT_SUBGRAPH_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "graphstore/types.h"

namespace slice {

// Values are the model's: kPadding never leaves a batch.
enum class TokenKind : uint8_t {
  kPadding = 0,
  kNode = 1,
  kPath = 2,
  kRelation = 3
};
enum class TokenRole : uint8_t {
  kNone = 0,
  kSource = 1,
  kTarget = 2,
  kBetween = 3,
  kMasked = 4
};

inline constexpr int kTokenKinds = 4;
inline constexpr int kTokenRoles = 5;
// The features of a token, by position: see TokenFeatureNames().
inline constexpr int kProfileDim = 32;  // see context/slot_profile.h
inline constexpr int kTokenFeatureCount = 17 + kProfileDim;

// "log_degree", "source_distance", "target_distance", "unreachable",
// "slot_degree" (see context_assembly.cc for the formulas), then those of path
// tokens (path_context.cc), then "profile.0" and on (the ends of a link only:
// slot_profile.h).
const std::vector<std::string>& TokenFeatureNames();

// One unit of attention. `path` holds the inner nodes of a kPath token;
// `relations` the signed relations (SignedRelation) it travels, or for a
// kRelation token the queried relation in the first place.
struct ContextToken {
  TokenKind kind = TokenKind::kNode;
  TokenRole role = TokenRole::kNone;
  NodeId node = kNoNode;
  absl::InlinedVector<NodeId, 2> path;
  std::array<int32_t, 3> relations = {0, 0, 0};
  std::array<float, kTokenFeatureCount> features = {};

  bool operator==(const ContextToken&) const = default;
};

// A visible link between two node tokens; `source` and `target` are token
// positions.
struct ContextEdge {
  uint16_t source = 0;
  uint16_t target = 0;
  RelationId relation = 0;

  auto operator<=>(const ContextEdge&) const = default;
};

// tokens[0] is the source and tokens[1] the target, also when both are one
// node; then the nodes between.
struct ContextSubgraph {
  Link link;
  std::vector<ContextToken> tokens;
  std::vector<ContextEdge> edges;  // sorted, unique
  int distance = -1;       // hops between source and target; -1: no path within
                           // max_hops was seen
  bool truncated = false;  // a hub or a bound cut the search short

  bool operator==(const ContextSubgraph&) const = default;
};

// `context` without tokens[token] and its edges. REQUIRES: token is not an end.
ContextSubgraph WithoutToken(const ContextSubgraph& context, size_t token);

// One step of a metapath: the token arrived at and how. The first step is the
// source with signed_relation 0.
struct MetapathStep {
  uint16_t token = 0;
  int32_t signed_relation = 0;
};

// A shortest path from source to target over the context's edges (the smallest
// token positions win); empty when the context connects them by none.
std::vector<MetapathStep> ShortestMetapath(const ContextSubgraph& context);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_SUBGRAPH_H_
