// Random histories of a graph: batches of changes, and a plain record of what
// the graph holds after each of them.
#ifndef SLICE_TESTS_TESTING_RANDOM_HISTORY_H_
#define SLICE_TESTS_TESTING_RANDOM_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "common/random.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_data.h"

namespace slice {

// Adds, removes, re-adds, renames, new nodes, deleted nodes that come back,
// hubs, self loops and parallel links.
class RandomHistory {
 public:
  RandomHistory(GraphData start, uint64_t seed);

  // Draws a batch of some `size` changes and records its effect.
  GraphChanges Next(size_t size);

  // The graph as it is now. Removed nodes are in the catalogue, without links.
  GraphData Now() const;
  const std::set<NodeId>& removed() const { return removed_; }

 private:
  NodeId AnyNode();
  void AddLink(GraphChanges& changes);
  void RemoveLink(GraphChanges& changes);
  void AddNode(GraphChanges& changes);
  void SetNode(GraphChanges& changes);
  void RemoveNode(GraphChanges& changes);

  Random random_;
  GraphCatalogue catalogue_;
  std::set<NodeId> removed_;
  std::map<Link, float> links_;  // with weights
  std::set<NodeId> touched_;     // nodes that this batch sets or removes
  std::set<Link> changed_;       // links that this batch adds or removes
};

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_RANDOM_HISTORY_H_
