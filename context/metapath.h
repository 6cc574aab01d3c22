// Metapaths: sequences of relations, as patterns for paths.
//
//   depends,^depends        for every queried relation: out along `depends`,
//                           then back along `depends`
//   tagged=depends,tagged   only where the queried relation is `tagged`
#ifndef SLICE_CONTEXT_METAPATH_H_
#define SLICE_CONTEXT_METAPATH_H_

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/types.h"

namespace slice {

inline constexpr int32_t kAnyRelation = -1;

struct Metapath {
  int32_t asked = kAnyRelation;  // the queried relation that it serves
  std::vector<int32_t> steps;    // signed relations, from source to target

  bool Serves(RelationId relation) const {
    return asked == kAnyRelation || asked == relation;
  }
  auto operator<=>(const Metapath&) const = default;
};

// Reads the form above. INVALID_ARGUMENT for fewer than two steps (one step is
// the link itself) or more than 16. NOT_FOUND for an empty step and for a
// relation that is not among `relations`; the message names it.
absl::StatusOr<Metapath> ParseMetapath(std::string_view text,
                                       std::span<const std::string> relations);

// The inverse of ParseMetapath.
std::string FormatMetapath(const Metapath& metapath,
                           std::span<const std::string> relations);

}  // namespace slice

#endif  // SLICE_CONTEXT_METAPATH_H_
