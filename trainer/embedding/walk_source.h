// The interface of whatever makes walks over a graph.
#ifndef SLICE_TRAINER_EMBEDDING_WALK_SOURCE_H_
#define SLICE_TRAINER_EMBEDDING_WALK_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "graphstore/types.h"

namespace slice {

// How many walks to ask for in one call: enough that their waits for memory
// overlap.
inline constexpr size_t kWalksAtOnce = 64;

// Immutable; thread-safe.
class WalkSource {
 public:
  virtual ~WalkSource() = default;

  // The most nodes of a walk, its start included.
  virtual int length() const = 0;

  // Makes one walk from each of `starts`; another `round` gives other walks.
  // Fills `walks`, [starts, length()] row-major; the rest of the row of a
  // shorter walk is kNoNode. A walk depends on its start and `round` alone.
  virtual void Walk(std::span<const NodeId> starts, uint64_t round,
                    std::span<NodeId> walks) const = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_WALK_SOURCE_H_
