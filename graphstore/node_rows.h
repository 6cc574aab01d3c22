// The rows of node files.
#ifndef SLICE_GRAPHSTORE_NODE_ROWS_H_
#define SLICE_GRAPHSTORE_NODE_ROWS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "graphstore/line_reader.h"
#include "graphstore/text_fields.h"

namespace slice {

// One row, checked. Texts point into the line.
struct NodeRow {
  TextField key, type, name;
  // One number per attribute column; NaN where the node has no value.
  std::vector<float> attributes;
};

// Node files have a key, a type and a name per line, separated by tabs. The
// first line is a header when it starts with `id` or `key`, or when it contains
// `type`, `name` and one of `id` and `key` in any order. A header may name more
// columns. Those in `attribute_columns` are attributes; further columns are
// ignored.
// Thread-compatible.
class NodeRowParser {
 public:
  explicit NodeRowParser(std::vector<std::string> attribute_columns)
      : attribute_columns_(std::move(attribute_columns)) {}

  // Fills `row`, or returns why the line is no row. For the header line the key
  // of `row` is empty.
  std::optional<LineError> Parse(const TextLine& line, NodeRow* row);

 private:
  bool IsHeader(const TextLine& line) const;
  std::optional<LineError> ReadHeader(const TextLine& line);
  std::optional<LineError> ReadAttributes(NodeRow* row);

  const std::vector<std::string> attribute_columns_;
  std::vector<std::string> names_ = {"key", "type", "name"};  // by column
  size_t key_ = 0, type_ = 1, name_ = 2;
  std::vector<size_t> attributes_;  // positions of the attribute columns
  std::vector<TextField> fields_;   // of the last line
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_ROWS_H_
