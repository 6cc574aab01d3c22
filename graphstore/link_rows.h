// The rows of link files.
#ifndef SLICE_GRAPHSTORE_LINK_ROWS_H_
#define SLICE_GRAPHSTORE_LINK_ROWS_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "graphstore/line_reader.h"
#include "graphstore/link_columns.h"
#include "graphstore/text_fields.h"

namespace slice {

// The relation of links in files without a relation column.
inline constexpr std::string_view kOnlyRelation = "link";

// Weights of links are from 1 / kMostLinkWeight to kMostLinkWeight, so that
// sums of them are finite and not zero.
inline constexpr float kMostLinkWeight = 1e30f;

// One row, checked. Texts point into the line.
struct LinkRow {
  TextField relation, source, target;
  bool positive = true;     // the label; true when there is none
  size_t label_column = 1;  // where the label begins in the line, in bytes
  float weight = 1;
};

// Thread-compatible.
class LinkRowParser {
 public:
  explicit LinkRowParser(LinkColumns columns) : columns_(std::move(columns)) {}

  // Fills `row`, or returns why the line is no row: it has too few or too many
  // fields, an identifier that cannot be a key, a label other than 1 and 0, or
  // a weight out of range.
  std::optional<LineError> Parse(const TextLine& line, LinkRow* row);

  const LinkColumns& columns() const { return columns_; }

 private:
  const LinkColumns columns_;
  std::vector<TextField> fields_;  // of the last line
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_ROWS_H_
