// Walks over a graph, however they are made.
#ifndef SLICE_TRAINER_EMBEDDING_WALK_SOURCE_H_
#define SLICE_TRAINER_EMBEDDING_WALK_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "graphstore/types.h"

namespace slice {

// How many walks to ask of a source at once: enough to wait for memory
// together.
inline constexpr size_t kWalksAtOnce = 64;

// Immutable; thread-safe.
class WalkSource {
 public:
  virtual ~WalkSource() = default;

  // The most nodes of a walk, its start included.
  virtual int length() const = 0;

  // Fills `walks`, [starts, length] row-major; kNoNode follows the last node of
  // a shorter walk. A walk depends on its start and `round` alone.
  virtual void Walk(std::span<const NodeId> starts, uint64_t round,
                    std::span<NodeId> walks) const = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_WALK_SOURCE_H_
