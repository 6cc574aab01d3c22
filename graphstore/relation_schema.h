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
#include <span>
#include <vector>

#include "graphstore/arc_rows.h"
#include "graphstore/graph_data.h"
#include "graphstore/slot_exclusions.h"
#include "graphstore/types.h"

namespace slice {

// Immutable; thread-safe. Each snapshot has one (GraphSnapshot::schema). A
// model keeps that of the graph it was trained on, while the graph goes on to
// change. FitsSchema says whether a node or a link fits
// (graphstore/schema_fit.h). Places are those of GraphSlot.
class RelationSchema {
 public:
  // Takes the time of SlotExclusions.
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

  // Whether a node of the type was seen in a place of the relation.
  bool HasType(RelationId relation, Direction place, NodeTypeId type) const;
  // The slots that shut each other out; none in a graph of several types.
  const SlotExclusions& exclusions() const { return exclusions_; }

 private:
  struct OfRelation {
    uint64_t links = 0;
    uint64_t self_loops = 0;
    std::array<std::vector<NodeTypeId>, 2> types;  // by place
  };

  const bool typed_;
  std::vector<OfRelation> of_;  // [relations]
  SlotExclusions exclusions_;   // of a graph of one type
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_RELATION_SCHEMA_H_
