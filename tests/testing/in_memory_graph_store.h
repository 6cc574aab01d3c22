// A GraphStore without a disk, to compare with those that have one.
#ifndef SLICE_TESTS_TESTING_IN_MEMORY_GRAPH_STORE_H_
#define SLICE_TESTS_TESTING_IN_MEMORY_GRAPH_STORE_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphstore/graph_store.h"

namespace slice {

// Keeps one graph until it is destroyed. Thread-safe for reads; BulkLoad needs
// exclusive use.
class InMemoryGraphStore final : public GraphStore {
 public:
  InMemoryGraphStore() = default;

  absl::Status BulkLoad(const GraphData& data,
                        std::string_view split_digest) override;
  absl::StatusOr<GraphMetadata> Metadata() const override;
  absl::StatusOr<NodeRecord> GetNode(NodeId node) const override;
  absl::StatusOr<std::vector<NodeId>> FindName(
      NodeTypeId type, std::string_view name) const override;
  absl::StatusOr<std::vector<Arc>> GetArcs(NodeId node,
                                           Direction direction) const override;
  absl::StatusOr<GraphData> ReadAll() const override;

 private:
  absl::Status CheckNode(NodeId node) const;

  std::shared_ptr<const GraphSnapshot> snapshot_;  // null until loaded
  GraphMetadata metadata_;
};

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_IN_MEMORY_GRAPH_STORE_H_
