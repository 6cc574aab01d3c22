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

// The network knows kinds and roles by these numbers. Only the padding of a
// batch is kPadding.
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
inline constexpr int kProfileDim = 32;  // see context/slot_profile.h
inline constexpr int kTokenFeatureCount = 17 + kProfileDim;

// The names of the features, in order: "log_degree", "source_distance",
// "target_distance", "unreachable", "slot_degree" (formulas in
// context/context_assembly.cc), then twelve of path tokens (formulas in
// context/path_context.cc), then "profile.0" to "profile.31", which only the
// two ends of a link have (context/slot_profile.h).
const std::vector<std::string>& TokenFeatureNames();

struct ContextToken {
  TokenKind kind = TokenKind::kNode;
  TokenRole role = TokenRole::kNone;
  NodeId node = kNoNode;                // kNoNode for a path token
  absl::InlinedVector<NodeId, 2> path;  // inner nodes of a path token
  // Signed relations: for a path token those that its paths travel, for a
  // kRelation token the queried relation in the first place, for a node token
  // see context/context_assembly.cc.
  std::array<int32_t, 3> relations = {0, 0, 0};
  std::array<float, kTokenFeatureCount> features = {};
  // How many paths a path token represents, 0 for other tokens. It is an
  // estimate when the context is truncated. The network does not read it.
  uint64_t path_count = 0;

  bool operator==(const ContextToken&) const = default;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_TOKEN_H_
