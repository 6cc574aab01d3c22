// Several changes of a graph, one after the other, as one.
#ifndef SLICE_GRAPHSTORE_MERGED_CHANGES_H_
#define SLICE_GRAPHSTORE_MERGED_CHANGES_H_

#include <cstddef>
#include <optional>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "graphstore/graph_changes.h"
#include "graphstore/types.h"

namespace slice {

// How many changes they are.
size_t CountOf(const GraphChanges& changes);

// To apply many small changes takes longer than to apply their sum: each copies
// the rows of the nodes it touches. Thread-compatible.
class MergedChanges {
 public:
  // `node_count` of the graph that the first changes are for.
  explicit MergedChanges(size_t node_count) : node_count_(node_count) {}

  // Whether `changes` can be added. A removed node loses the links that it has
  // at that time, so what touches it before or after cannot be in one sum.
  bool Admits(const GraphChanges& changes) const;

  // Adds the changes that come next. REQUIRES: Admits(changes), and they could
  // be applied to the graph after all before them.
  void Add(const GraphChanges& changes);

  // How many nodes and links are changed.
  size_t size() const;

  // All that was added since the last call. Links ascend.
  GraphChanges Take();

 private:
  using LinkKey = std::tuple<NodeId, RelationId, NodeId>;

  void SetNode(const NodeChange& set);

  size_t node_count_;                        // before changes_
  GraphChanges changes_;                     // all but links
  absl::flat_hash_map<NodeId, size_t> set_;  // places in changes_.set_nodes
  absl::flat_hash_set<NodeId> removed_;
  absl::flat_hash_set<NodeId> linked_;  // ends of links_
  // The weight of a link that is added; none for one that is removed.
  absl::flat_hash_map<LinkKey, std::optional<float>> links_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_MERGED_CHANGES_H_
