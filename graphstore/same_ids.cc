#include "graphstore/same_ids.h"

#include <algorithm>

namespace slice {

std::string OtherIds(const GraphSnapshot& first, const GraphSnapshot& later) {
  if (first.relations() != later.relations()) return "relations";
  const auto& types = first.node_types();
  const auto& later_types = later.node_types();
  if (types.size() > later_types.size() ||
      !std::equal(types.begin(), types.end(), later_types.begin())) {
    return "node types";
  }
  if (first.node_count() > later.node_count()) return "nodes";
  for (NodeId node = 0; node < first.node_count(); ++node) {
    if (first.Key(node) != later.Key(node)) return "nodes";
  }
  return "";
}

}  // namespace slice
