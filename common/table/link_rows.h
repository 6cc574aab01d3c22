// The rows of link files.
#ifndef SLICE_COMMON_TABLE_LINK_ROWS_H_
#define SLICE_COMMON_TABLE_LINK_ROWS_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "common/table/link_columns.h"
#include "common/table/link_shape.h"
#include "common/table/text_fields.h"
#include "common/table/text_line.h"

namespace slice {

// Weights of links are from 1 / kMostLinkWeight to kMostLinkWeight, so that
// sums of them are finite and not zero.
inline constexpr float kMostLinkWeight = 1e30f;

// One row, checked. Texts point into the line or into its parser.
struct LinkRow {
  TextField relation, source, target;
  bool has_label = false;
  bool positive = true;     // the label; true when there is none
  size_t label_column = 1;  // where the label begins in the line, in bytes
  float weight = 1;
  TextField time;  // empty without a time column
};

// Thread-compatible.
class LinkRowParser {
 public:
  explicit LinkRowParser(LinkShape shape)
      : shape_(std::move(shape)), splitter_(shape_.dialect) {}
  // Of plain rows with these columns.
  explicit LinkRowParser(LinkColumns columns)
      : LinkRowParser(LinkShape{.columns = std::move(columns)}) {}

  // Fills `row`, which is valid until the next call, or returns why the line is
  // no row: it has a wrong quote, too few or too many fields, an identifier
  // that cannot be a key, a label other than 1 and 0, or a weight out of range.
  std::optional<LineError> Parse(const TextLine& line, LinkRow* row);

  const LinkColumns& columns() const { return shape_.columns; }
  bool columns_assumed() const { return shape_.columns_assumed; }

 private:
  LinkShape shape_;
  FieldSplitter splitter_;
  std::vector<TextField> fields_;  // of the last line
};

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_LINK_ROWS_H_
