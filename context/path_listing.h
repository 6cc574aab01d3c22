// What a PathLedger knows of the paths between the ends of a link. Internal to
// it; PathLister (context/path_lister.h) finds the paths.
#ifndef SLICE_CONTEXT_PATH_LISTING_H_
#define SLICE_CONTEXT_PATH_LISTING_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "context/path_rules.h"
#include "context/path_sums.h"

namespace slice {

// A type of path.
struct ListedType {
  PathType type;
  uint8_t kinds = 0;  // bits: the kinds of paths that this type belongs to
  double count = 0;   // how many paths have this type
};

// The paths of two links over one inner node.
struct TwoLinkWalk {
  double times;         // how many such paths it represents
  double inverse;       // 1 / d_x
  uint32_t begin, end;  // its types, in PathListing::walk_types
};

// What decides whether a filter keeps a walk of three links, and as which
// kinds.
struct ThreeLinkTypes {
  uint64_t tracked = 0;     // bits: its types in PathListing::tracked
  bool has_others = false;  // whether it has other types too
  uint8_t other_kinds = 0;  // the kinds that these belong to

  bool operator==(const ThreeLinkTypes&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const ThreeLinkTypes& types) {
    return H::combine(std::move(h), types.tracked, types.has_others,
                      types.other_kinds);
  }
};

// All walks of three links that have the same types. There are thousands of
// walks in a dense graph, and few such groups.
struct ThreeLinkWalks {
  ThreeLinkTypes types;
  ThreePathSums sums;
};

// All paths of one, two and three links.
struct PathListing {
  // The visible distinct neighbours of the ends.
  size_t source_degree = 0, target_degree = 0;
  std::vector<ListedType> types;  // of one and two links
  std::vector<uint32_t> walk_types;
  std::vector<TwoLinkWalk> two;
  std::vector<ListedType> tracked;         // of three links
  std::vector<ListedType> may_have_rules;  // of three links
  std::vector<ThreeLinkWalks> three;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_LISTING_H_
