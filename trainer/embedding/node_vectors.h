// The rows of an embedding file, gathered by node.
#ifndef SLICE_TRAINER_EMBEDDING_NODE_VECTORS_H_
#define SLICE_TRAINER_EMBEDDING_NODE_VECTORS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

struct FileEmbeddings {
  int dim = 0;
  std::vector<float> values;  // [nodes, dim] float32, row-major
  size_t missing_nodes = 0;   // nodes without a row, which got mean vectors
  size_t unknown_rows = 0;    // rows left out, as no node has their key
};

// A line or row of a file, for messages: "vectors.txt, line 7".
struct FilePlace {
  std::string Text() const;
  // INVALID_ARGUMENT: "vectors.txt, line 7: " and `what`.
  absl::Status Error(std::string_view what) const;

  const std::filesystem::path* path;
  const char* unit;  // "line" or "row"
  uint64_t number;   // from 1
};

// Collects one vector per node from the rows of a file. Thread-compatible.
class NodeVectors {
 public:
  // The snapshot must outlive it.
  NodeVectors(const GraphSnapshot& snapshot, size_t dim)
      : snapshot_(snapshot),
        dim_(dim),
        values_(snapshot.node_count() * dim),
        rows_(snapshot.node_count()) {}

  const GraphSnapshot& snapshot() const { return snapshot_; }

  // Takes `row` as the vector of the node with this key. When no node has the
  // key, only counts the row. INVALID_ARGUMENT for a second row of a node, or a
  // value that is not finite.
  absl::Status Add(std::string_view key, std::span<const float> row,
                   const FilePlace& place);

  // Returns all vectors. Nodes without a row get mean vectors when
  // `fill_missing` is set and at least one node has a row. Otherwise a node
  // without a row is INVALID_ARGUMENT, with a message that names `path`.
  absl::StatusOr<FileEmbeddings> Finish(const std::filesystem::path& path,
                                        bool fill_missing) &&;

 private:
  absl::Status DescribeMissing(const std::filesystem::path& path,
                               size_t missing) const;

  const GraphSnapshot& snapshot_;
  const size_t dim_;
  std::vector<float> values_;
  std::vector<uint64_t> rows_;  // [nodes]: line or row of the vector; 0: none
  size_t unknown_ = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_NODE_VECTORS_H_
