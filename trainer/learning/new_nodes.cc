#include "trainer/learning/new_nodes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/graph_changes.h"

namespace slice {

absl::StatusOr<std::shared_ptr<const NewNodes>> NewNodes::Add(
    const GraphSnapshot& graph, const NodeEmbeddings& embeddings) {
  GraphChanges changes;
  for (size_t type = 0; type < graph.node_type_count(); ++type) {
    // No node of an imported graph has a control character in its key.
    changes.added_nodes.push_back({absl::StrCat("\x01new node of type ", type),
                                   "", static_cast<NodeTypeId>(type)});
  }
  SLICE_ASSIGN_OR_RETURN(auto with_new_nodes,
                         graph.Apply(changes, graph.graph_version()));
  return std::shared_ptr<const NewNodes>(
      new NewNodes(std::move(with_new_nodes), UnknownNodes(embeddings, graph)));
}

NodeId NewNodes::InPlaceOf(NodeId node) const {
  return static_cast<NodeId>(unknown_.known() + graph_->Type(node));
}

double NewNodeShareFor(double share, uint64_t links) {
  constexpr double kFewest = 300, kMost = 0.06;
  if (links == 0) return share;
  return std::max(share, std::min(kMost, kFewest / static_cast<double>(links)));
}

}  // namespace slice
