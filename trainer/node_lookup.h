// Finds the nodes that the rows of a file name, as the server does for
// slice-client.
#ifndef SLICE_TRAINER_NODE_LOOKUP_H_
#define SLICE_TRAINER_NODE_LOOKUP_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// Thread-compatible: looking for near misses is slow, so only the errors of the
// first unknown names list them.
class NodeLookup {
 public:
  // `graph` must outlive the object. With `exact_keys` a node is given by its
  // key alone, otherwise by key, name or type:name.
  NodeLookup(const GraphSnapshot& graph, bool exact_keys)
      : graph_(graph), exact_keys_(exact_keys) {}

  // NOT_FOUND, or FAILED_PRECONDITION for a name of several nodes.
  absl::StatusOr<NodeId> Node(std::string_view text);
  // The error says which of the three it is about.
  absl::StatusOr<Link> FindLink(std::string_view relation,
                                std::string_view source,
                                std::string_view target);

 private:
  size_t Suggestions() const;

  const GraphSnapshot& graph_;
  const bool exact_keys_;
  size_t unknown_ = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_NODE_LOOKUP_H_
