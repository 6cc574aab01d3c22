// What each relation joins: between which kinds of nodes its links run.
//
// A pair is *off schema* for a relation when one of its ends does not fit in
// that place. In a graph of several node types, the type of the end decides: no
// link of the relation has an end of this type there. In a graph of one type,
// the other slots of the node decide: one of them shuts the place out
// (graphstore/slot_exclusions.h).
#ifndef SLICE_GRAPHSTORE_RELATION_SCHEMA_H_
#define SLICE_GRAPHSTORE_RELATION_SCHEMA_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphstore/arc_rows.h"
#include "graphstore/graph_data.h"
#include "graphstore/slot_exclusions.h"
#include "graphstore/types.h"

namespace slice {

// Immutable; thread-safe. Each snapshot has one (GraphSnapshot::schema). Places
// are those of GraphSlot.
class RelationSchema {
 public:
  // Takes the time of SlotExclusions. The rows of both directions, and the
  // catalogue, must outlive the schema.
  RelationSchema(const ArcRows& out, const ArcRows& in,
                 const GraphCatalogue& catalogue);

  // Whether node types decide what is off schema, or else slots.
  bool typed() const { return typed_; }

  uint64_t links(RelationId relation) const { return of_[relation].links; }
  // Links from a node to itself.
  uint64_t self_loops(RelationId relation) const {
    return of_[relation].self_loops;
  }
  // The types of nodes seen in a place, the most frequent first.
  std::span<const NodeTypeId> types(RelationId relation,
                                    Direction place) const {
    return of_[relation].types[static_cast<int>(place)];
  }

  // Whether the node fits in a place of the relation. A relation without links
  // has no schema: every node fits.
  bool Fits(NodeId node, RelationId relation, Direction place) const;

  // In a graph of one type: the slot of the node that shuts the place out, the
  // one with the most links; none when the node fits. O(slots of the node).
  std::optional<GraphSlot> ShutOutBy(NodeId node, GraphSlot place) const;

  // Whether both ends of the link fit.
  bool Fits(const Link& link) const {
    return Fits(link.source, link.relation, Direction::kOut) &&
           Fits(link.target, link.relation, Direction::kIn);
  }

 private:
  struct OfRelation {
    uint64_t links = 0;
    uint64_t self_loops = 0;
    std::array<std::vector<NodeTypeId>, 2> types;  // by place
  };

  const std::array<const ArcRows*, 2> rows_;  // by direction
  const GraphCatalogue* const catalogue_;
  const bool typed_;
  std::vector<OfRelation> of_;  // [relations]
  SlotExclusions exclusions_;   // of a graph of one type
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_RELATION_SCHEMA_H_
