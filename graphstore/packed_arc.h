// An arc of a row as one integer. Internal to the arc rows.
#ifndef SLICE_GRAPHSTORE_PACKED_ARC_H_
#define SLICE_GRAPHSTORE_PACKED_ARC_H_

#include <cstdint>

#include "graphstore/types.h"

namespace slice {

// (relation, neighbor) as one integer that sorts like the pair.
inline uint64_t PackArc(RelationId relation, NodeId neighbor) {
  return (uint64_t{relation} << 32) | neighbor;
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_PACKED_ARC_H_
