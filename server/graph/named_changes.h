// Applies changes that a request names to a graph.
#ifndef SLICE_SERVER_GRAPH_NAMED_CHANGES_H_
#define SLICE_SERVER_GRAPH_NAMED_CHANGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/did_you_mean.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_snapshot.h"
#include "slice/v1/graph.pb.h"

namespace slice {

using NamedChanges = google::protobuf::RepeatedPtrField<v1::GraphChange>;

// INVALID_ARGUMENT "<field>[3].add_link.source: <problem>" for a change that no
// graph could take: it says nothing, lacks a name, or has a text that is too
// long, not UTF-8 or holds control characters.
absl::Status ValidateNamedChanges(const NamedChanges& changes,
                                  const std::string& field);

struct ChangedGraph {
  std::shared_ptr<const GraphSnapshot> graph;
  // What the changes come to, without those that changed nothing: applied to
  // the graph before, they make `graph`.
  GraphChanges resolved;
  // The positions of the changes that changed nothing; ascending.
  std::vector<uint32_t> without_effect;
  // How many arcs were copied; 0 when they were not limited.
  size_t copied_arcs = 0;
};

struct NamedChangesOptions {
  uint64_t graph_version = 0;  // of the result
  // How many arcs the nodes that change may have together.
  std::optional<size_t> most_arcs = std::nullopt;
  // How many similar names an error lists.
  size_t suggestions = kSuggestions;
};

// The graph after all changes at once. Errors name the field as above:
//   NOT_FOUND            a node that the graph lacks, with similar names
//   FAILED_PRECONDITION  a relation that the graph lacks; a name of several
//                        nodes
//   INVALID_ARGUMENT     two changes of one link or node; a link of a node that
//                        another change removes; nodes with too many arcs; a
//                        new node type when there are kMostNodeTypes
// REQUIRES: the changes passed ValidateNamedChanges.
absl::StatusOr<ChangedGraph> ApplyNamedChanges(
    const GraphSnapshot& graph, const NamedChanges& changes,
    const std::string& field, const NamedChangesOptions& options);

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_NAMED_CHANGES_H_
