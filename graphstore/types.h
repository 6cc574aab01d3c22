// The identifiers of a heterogeneous graph. They never leave the process: on
// the wire and in files a node is known by its key.
#ifndef SLICE_GRAPHSTORE_TYPES_H_
#define SLICE_GRAPHSTORE_TYPES_H_

#include <compare>
#include <cstdint>
#include <limits>

namespace slice {

using NodeId = uint32_t;      // dense, from 0
using NodeTypeId = uint16_t;  // dense, from 0
using RelationId = uint16_t;  // dense, from 0

inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();

// One typed, directed link (a triple).
struct Link {
  NodeId source = 0;
  RelationId relation = 0;
  NodeId target = 0;

  auto operator<=>(const Link&) const = default;
};

// The direction in which an arc leads: kOut from source to target, kIn from
// target to source.
enum class Direction : uint8_t { kOut = 0, kIn = 1 };

inline constexpr Direction Reverse(Direction direction) {
  return direction == Direction::kOut ? Direction::kIn : Direction::kOut;
}

// A link as seen from one of its ends, the node: the link is (node, relation,
// neighbor) when kOut, and (neighbor, relation, node) when kIn.
struct Arc {
  NodeId neighbor = 0;
  RelationId relation = 0;
  Direction direction = Direction::kOut;

  auto operator<=>(const Arc&) const = default;
};

// A relation and the direction in which it is travelled, as one integer:
// relation + 1 when kOut, -(relation + 1) when kIn, 0 for no relation. Context
// tokens, context edges and the model use this form.
inline constexpr int32_t SignedRelation(RelationId relation,
                                        Direction direction) {
  const int32_t code = static_cast<int32_t>(relation) + 1;
  return direction == Direction::kOut ? code : -code;
}

// The two parts of a signed relation other than 0.
inline constexpr RelationId RelationOfSigned(int32_t signed_relation) {
  return static_cast<RelationId>(
      (signed_relation < 0 ? -signed_relation : signed_relation) - 1);
}
inline constexpr Direction DirectionOfSigned(int32_t signed_relation) {
  return signed_relation > 0 ? Direction::kOut : Direction::kIn;
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TYPES_H_
