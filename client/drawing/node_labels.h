// How nodes are called in one drawing or table. Names may repeat, keys do not.
#ifndef SLICE_CLIENT_DRAWING_NODE_LABELS_H_
#define SLICE_CLIENT_DRAWING_NODE_LABELS_H_

#include <map>
#include <set>
#include <string>

#include "client/link_types.h"

namespace slice {

// A node is called by its name. Where another node of the same drawing has that
// name too, the key stands behind it: "Jan Novak [author/17]".
// Thread-compatible.
class NodeLabels {
 public:
  NodeLabels() = default;
  // Knows all nodes of a scored link and its explanation.
  explicit NodeLabels(const ScoredLink& link);

  void Add(const NodeInfo& node);
  std::string Of(const NodeInfo& node) const;

 private:
  std::map<std::string, std::set<std::string>> keys_;  // by label
};

}  // namespace slice

#endif  // SLICE_CLIENT_DRAWING_NODE_LABELS_H_
