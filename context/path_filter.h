// Chooses paths between the ends of a link by their types.
#ifndef SLICE_CONTEXT_PATH_FILTER_H_
#define SLICE_CONTEXT_PATH_FILTER_H_

#include <algorithm>
#include <array>
#include <vector>

#include "context/path_rules.h"

namespace slice {

// The number of links of a path of this type: 1, 2 or 3.
inline int LengthOf(const PathType& type) {
  return type[2] != 0 ? 3 : type[1] != 0 ? 2 : 1;
}

// Names paths by their types and by their lengths, and either leaves the named
// paths out or keeps them alone. The default leaves nothing out.
struct PathFilter {
  std::vector<PathType> types;
  std::array<bool, 4> lengths = {};  // [links of a path]: all of this length
  bool keep_named = false;           // true: only the named paths stay

  bool Names(const PathType& type) const {
    return lengths[static_cast<size_t>(LengthOf(type))] ||
           std::find(types.begin(), types.end(), type) != types.end();
  }
  bool Keeps(const PathType& type) const { return Names(type) == keep_named; }
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_FILTER_H_
