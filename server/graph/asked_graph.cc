#include "server/graph/asked_graph.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"

namespace slice {
namespace {

constexpr char kField[] = "what_if.changes";
// The nodes that change may have this many links together, which are copied in
// some milliseconds.
constexpr size_t kMostArcs = size_t{1} << 17;
// What a copied arc takes: a neighbour and a relation in its row, and as much
// in the row of distinct neighbours.
constexpr size_t kBytesPerArc = 24;
// What a graph takes that changes at one node, in each of four tables: a page
// of 64 pointers to blocks, and the names of the four nodes of a block.
constexpr size_t kBytesPerChange = 4 * (size_t{64} * 16 + 4 * 256);
// What the index of the names of nodes takes that come, change or go, however
// few they are (graphstore/gram_index.h).
constexpr size_t kBytesOfNames = (size_t{1} << 16) * sizeof(size_t);

bool ChangesNodes(const v1::WhatIf& what_if) {
  return std::ranges::any_of(
      what_if.changes(), [](const v1::GraphChange& change) {
        return change.has_upsert_node() || change.has_remove_node();
      });
}

}  // namespace

AskedGraph::AskedGraph(std::shared_ptr<const GraphSnapshot> of_model,
                       const v1::WhatIf& what_if)
    : what_if_(what_if), graph_(std::move(of_model)) {}

absl::Status AskedGraph::Make(const Permissions& permissions) {
  if (!is_imagined()) return absl::OkStatus();
  std::call_once(once_, [&] { status_ = Imagine(permissions); });
  return status_;
}

absl::Status AskedGraph::Imagine(const Permissions& permissions) {
  const GraphSnapshot& base = *graph_;
  const auto apply = [&](size_t suggestions) {
    return ApplyNamedChanges(base, what_if_.changes(), kField,
                             {.graph_version = base.graph_version(),
                              .most_arcs = kMostArcs,
                              .suggestions = suggestions});
  };
  auto changed = apply(0);
  const bool unknown_name = absl::IsNotFound(changed.status()) ||
                            absl::IsFailedPrecondition(changed.status());
  if (unknown_name && permissions.may_search()) changed = apply(kSuggestions);
  SLICE_RETURN_IF_ERROR(changed.status());
  const size_t bytes =
      kBytesPerArc * changed->copied_arcs +
      kBytesPerChange * static_cast<size_t>(what_if_.changes_size()) +
      (ChangesNodes(what_if_) ? kBytesOfNames : 0);
  SLICE_RETURN_IF_ERROR(permissions.take_bytes(bytes));
  bytes_ = bytes;
  graph_ = std::move(changed->graph);
  without_effect_ = std::move(changed->without_effect);
  return absl::OkStatus();
}

}  // namespace slice
