// How many relations and node types a graph may have.
#ifndef SLICE_GRAPHSTORE_GRAPH_LIMITS_H_
#define SLICE_GRAPHSTORE_GRAPH_LIMITS_H_

#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/table/text_fields.h"
#include "graphstore/types.h"

namespace slice {

inline constexpr size_t kMostRelations = std::numeric_limits<RelationId>::max();
inline constexpr size_t kMostNodeTypes = std::numeric_limits<NodeTypeId>::max();

// Of a row whose relation is one too many.
inline LineError TooManyRelations(const TextField& relation) {
  return {relation.column, absl::StrCat("the limit of ", kMostRelations,
                                        " relations is reached")};
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_LIMITS_H_
