// The rows of node files.
#ifndef SLICE_GRAPHSTORE_NODE_ROWS_H_
#define SLICE_GRAPHSTORE_NODE_ROWS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "graphstore/edge_list_reader.h"

namespace slice {

// One row, checked. Texts point into the line.
struct NodeRow {
  TextField key, type, name;
  // As many as attribute columns were asked for; NaN where a node has none.
  std::vector<float> attributes;
};

// Node files have a key, a type and a name per line, separated by tabs. The
// first line is a header when it starts with `id` or `key`, or names `id` or
// `key`, `type` and `name` in any order; it may then name more columns, of
// which those asked for are attributes and the others are left alone.
// Thread-compatible.
class NodeRowParser {
 public:
  explicit NodeRowParser(std::vector<std::string> attribute_columns)
      : attribute_columns_(std::move(attribute_columns)) {}

  // Fills `row`, or leaves it without a key for the header line.
  std::optional<LineError> Parse(const TextLine& line, NodeRow* row);

 private:
  bool IsHeader(const TextLine& line) const;
  std::optional<LineError> ReadHeader(const TextLine& line);
  std::optional<LineError> ReadAttributes(NodeRow* row);

  const std::vector<std::string> attribute_columns_;
  std::vector<std::string> names_ = {"key", "type", "name"};  // by column
  size_t key_ = 0, type_ = 1, name_ = 2;
  std::vector<size_t> attributes_;  // columns
  std::vector<TextField> fields_;   // of the last line
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_ROWS_H_
