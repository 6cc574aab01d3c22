// Numbers that belong to nodes: as they are given, and as a network reads them.
#ifndef SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_
#define SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_data.h"

namespace slice {

struct NodeAttributes {
  std::vector<std::string> names;
  std::vector<float> values;  // [nodes, names], NaN = missing

  bool empty() const { return names.empty(); }
};

// Reads a NumPy matrix [rows, attributes] (.npy, float32 or float64) whose NaNs
// are missing values. The file with .keys in place of .npy, when it is there,
// holds the node's key of each row, one a line (it may be compressed); nodes
// without a row have no values, rows of other keys are left out. Without that
// file row i is node i (node file first, then first appearance) and there must
// be a row for every node. Attributes are called after the file and their
// column: "words.npy" holds "words.0", "words.1" ... INVALID_ARGUMENT naming
// the row for infinite values, repeated keys and wrong counts; else as
// ReadNpyMatrix and LineReader.
absl::StatusOr<NodeAttributes> ReadAttributeMatrix(
    const std::filesystem::path& path, const GraphCatalogue& catalogue);

// Puts the attributes of `more` behind those of `attributes`. INVALID_ARGUMENT
// for a name that is in both. REQUIRES: values for `nodes` nodes in each.
absl::Status AppendAttributes(const NodeAttributes& more, size_t nodes,
                              NodeAttributes* attributes);

// One column of the table that a network reads.
struct AttributeColumn {
  std::string name;  // of an indicator: "missing age", "missing words.0 ..."
  // The table holds (value - mean) / deviation, clipped to +-kMostDeviations.
  double mean = 0;
  double deviation = 1;

  bool operator==(const AttributeColumn&) const = default;
};
inline constexpr float kMostDeviations = 8;

struct AttributeTable {
  std::vector<AttributeColumn> columns;
  std::vector<float> values;  // [nodes, columns], finite
};

// Standardises every attribute over the nodes that have it; the others get its
// mean, 0, and a 1 in a further column that tells so. Attributes missing at the
// same nodes share that column. INVALID_ARGUMENT naming an attribute that no
// node has.
absl::StatusOr<AttributeTable> StandardizeAttributes(
    const NodeAttributes& attributes);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_
