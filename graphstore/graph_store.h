// The durable graph: a catalogue, adjacency and metadata behind one interface.
// RocksDbGraphStore keeps it on disk;
// tests/graphstore/graph_store_contract_test.cc says what any store must do.
#ifndef SLICE_GRAPHSTORE_GRAPH_STORE_H_
#define SLICE_GRAPHSTORE_GRAPH_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

struct GraphMetadata {
  int format_version = 1;
  uint64_t node_count = 0;
  uint64_t link_count = 0;
  uint64_t graph_version = 0;
  std::string graph_digest;  // GraphDigest of the loaded graph
  // ImportedGraph::split_digest: identifies the held-out files that the import
  // checked. Empty when there were none.
  std::string split_digest;
};

// Thread-safe for reads; BulkLoad needs exclusive use. Until a graph is loaded
// every read is FAILED_PRECONDITION.
class GraphStore {
 public:
  virtual ~GraphStore() = default;

  // Fills an empty store. INVALID_ARGUMENT as GraphSnapshot::Build;
  // FAILED_PRECONDITION when the store holds a graph already;
  // RESOURCE_EXHAUSTED when the disk is full. Nothing is visible until it
  // returns OK.
  virtual absl::Status BulkLoad(const GraphData& data,
                                std::string_view split_digest) = 0;

  virtual absl::StatusOr<GraphMetadata> Metadata() const = 0;

  // NOT_FOUND for an id beyond the catalogue.
  virtual absl::StatusOr<NodeRecord> GetNode(NodeId node) const = 0;

  // Ids of the nodes with exactly this name and type, ascending.
  virtual absl::StatusOr<std::vector<NodeId>> FindName(
      NodeTypeId type, std::string_view name) const = 0;

  // Arcs of `node` in `direction`, sorted by (relation, neighbor). NOT_FOUND as
  // GetNode.
  virtual absl::StatusOr<std::vector<Arc>> GetArcs(
      NodeId node, Direction direction) const = 0;

  // The whole graph, read back by one scan. DATA_LOSS when a record is
  // malformed.
  virtual absl::StatusOr<GraphData> ReadAll() const = 0;

  // The snapshot of ReadAll() with the store's graph version.
  absl::StatusOr<std::shared_ptr<const GraphSnapshot>> BuildSnapshot() const;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_STORE_H_
