#include "tests/testing/in_memory_graph_store.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

absl::Status Empty() {
  return absl::FailedPreconditionError(
      "the store holds no graph yet; load one first");
}

}  // namespace

absl::Status InMemoryGraphStore::BulkLoad(const GraphData& data,
                                          std::string_view split_digest) {
  if (snapshot_ != nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("the store holds the graph ", metadata_.graph_digest,
                     " already; load into an empty store"));
  }
  SLICE_ASSIGN_OR_RETURN(auto snapshot, GraphSnapshot::Build(data));
  metadata_.node_count = snapshot->node_count();
  metadata_.link_count = snapshot->link_count();
  metadata_.graph_digest = GraphDigest(data);
  metadata_.split_digest = std::string(split_digest);
  snapshot_ = std::move(snapshot);
  return absl::OkStatus();
}

absl::StatusOr<GraphMetadata> InMemoryGraphStore::Metadata() const {
  if (snapshot_ == nullptr) return Empty();
  return metadata_;
}

absl::Status InMemoryGraphStore::CheckNode(NodeId node) const {
  if (snapshot_ == nullptr) return Empty();
  if (node >= snapshot_->node_count()) {
    return absl::NotFoundError(absl::StrCat("node ", node, " is not among the ",
                                            snapshot_->node_count(),
                                            " nodes of the catalogue"));
  }
  return absl::OkStatus();
}

absl::StatusOr<NodeRecord> InMemoryGraphStore::GetNode(NodeId node) const {
  SLICE_RETURN_IF_ERROR(CheckNode(node));
  return snapshot_->Node(node);
}

absl::StatusOr<std::vector<NodeId>> InMemoryGraphStore::FindName(
    NodeTypeId type, std::string_view name) const {
  if (snapshot_ == nullptr) return Empty();
  std::vector<NodeId> found;
  for (NodeId node = 0; node < snapshot_->node_count(); ++node) {
    if (snapshot_->Type(node) == type && snapshot_->Name(node) == name)
      found.push_back(node);
  }
  return found;
}

absl::StatusOr<std::vector<Arc>> InMemoryGraphStore::GetArcs(
    NodeId node, Direction direction) const {
  SLICE_RETURN_IF_ERROR(CheckNode(node));
  const ArcSpan span = snapshot_->Arcs(node, direction);
  std::vector<Arc> arcs;
  arcs.reserve(span.size());
  for (size_t i = 0; i < span.size(); ++i)
    arcs.push_back({span.neighbors[i], span.relations[i], direction});
  return arcs;
}

absl::StatusOr<GraphData> InMemoryGraphStore::ReadAll() const {
  if (snapshot_ == nullptr) return Empty();
  GraphData data{snapshot_->Catalogue(), {}, {}};
  data.links.reserve(snapshot_->link_count());
  for (NodeId node = 0; node < snapshot_->node_count(); ++node) {
    const ArcSpan arcs = snapshot_->Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i)
      data.links.push_back({node, arcs.relations[i], arcs.neighbors[i]});
    data.weights.insert(data.weights.end(), arcs.weights.begin(),
                        arcs.weights.end());
  }
  return data;
}

}  // namespace slice
