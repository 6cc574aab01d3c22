// Numbers that belong to nodes: as the files hold them, and as the network
// reads them.
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

// Reads a NumPy matrix [rows, attributes] (.npy, float32 or float64). NaN means
// a missing value.
//
// A file of the same name that ends in .keys instead of .npy may say which row
// belongs to which node: it holds one key a line, and may be compressed. Then
// nodes without a row have no values, and rows with a key that is no node are
// skipped. Without that file row i belongs to node i (ids go by the node file,
// then by first appearance), and every node must have a row.
//
// Attributes are named after the file and their column: "words.npy" holds
// "words.0", "words.1" ... INVALID_ARGUMENT for an infinite value or a repeated
// key, naming the row, and for a wrong number of rows or keys. The other errors
// are those of ReadNpyMatrix and LineReader.
absl::StatusOr<NodeAttributes> ReadAttributeMatrix(
    const std::filesystem::path& path, const GraphCatalogue& catalogue);

// Appends the attributes of `more` to `attributes`. INVALID_ARGUMENT for a name
// that both have. REQUIRES: both hold values for `nodes` nodes.
absl::Status AppendAttributes(const NodeAttributes& more, size_t nodes,
                              NodeAttributes* attributes);

// One column of the table that the network reads: an attribute, or an indicator
// of missing values.
struct AttributeColumn {
  // The attribute, or "missing age" for an indicator ("missing words.0 ..."
  // when several attributes share it).
  std::string name;
  // The table holds (value - mean) / deviation, clipped to
  // +-kMostDeviations.
  double mean = 0;
  double deviation = 1;

  bool operator==(const AttributeColumn&) const = default;
};
inline constexpr float kMostDeviations = 8;

struct AttributeTable {
  std::vector<AttributeColumn> columns;
  std::vector<float> values;  // [nodes, columns], finite
};

// Standardises every attribute over the nodes that have it. A node without it
// gets the mean, which is 0 in the table, and a 1 in an indicator column.
// Attributes that are missing at the same nodes share one indicator.
// INVALID_ARGUMENT naming an attribute that no node has.
absl::StatusOr<AttributeTable> StandardizeAttributes(
    const NodeAttributes& attributes);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_ATTRIBUTES_H_
