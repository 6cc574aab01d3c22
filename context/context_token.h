// A token of a context: one unit of attention.
#ifndef SLICE_CONTEXT_CONTEXT_TOKEN_H_
#define SLICE_CONTEXT_CONTEXT_TOKEN_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "graphstore/types.h"

namespace slice {

// The numbers by which the network knows kinds and roles. Only tokens that pad
// a batch are kPadding.
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
  kMasked = 4  // in pre-training: the token whose node is to be predicted
};

inline constexpr int kTokenKinds = 4;
inline constexpr int kTokenRoles = 5;
inline constexpr int kProfileDim = 32;  // see context/slot_profile.h
inline constexpr int kTokenFeatureCount = 17 + kProfileDim;

// Positions of the features. The formulas of the first five are in
// context/context_assembly.cc, those of path tokens in context/path_context.cc.
// The last kProfileDim features are the slot profile, which only the two ends
// of a link have (context/slot_profile.h).
enum TokenFeature : size_t {
  kLogDegree = 0,
  kSourceDistance = 1,
  kTargetDistance = 2,
  kUnreachable = 3,
  kSlotDegree = 4,
  kPathCount = 5,
  kPathWeight = 6,
  kPathBest = 7,
  kPathShare = 8,
  kPathIsQuery = 9,  // six of them
  kPathTurnsEarly = 15,
  kPathTurnsLate = 16,
  kFirstProfile = 17,
};
static_assert(kFirstProfile + kProfileDim == kTokenFeatureCount);

// The names of the features, in order: from "log_degree" to "path_turns_late",
// then "profile.0" to "profile.31".
const std::vector<std::string>& TokenFeatureNames();

struct ContextToken {
  TokenKind kind = TokenKind::kNode;
  TokenRole role = TokenRole::kNone;
  NodeId node = kNoNode;                // kNoNode for a path token
  absl::InlinedVector<NodeId, 2> path;  // inner nodes of a path token
  // Signed relations. A path token has those that its paths travel, in order. A
  // kRelation token has the queried relation in the first place. For node
  // tokens see context/context_assembly.cc.
  std::array<int32_t, 3> relations = {0, 0, 0};
  std::array<float, kTokenFeatureCount> features = {};
  // How many paths a path token represents; 0 for other tokens. When the
  // context is truncated, the number is an estimate. The network does not read
  // it.
  uint64_t path_count = 0;

  bool operator==(const ContextToken&) const = default;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_TOKEN_H_
