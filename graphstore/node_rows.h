// The rows of node files.
#ifndef SLICE_GRAPHSTORE_NODE_ROWS_H_
#define SLICE_GRAPHSTORE_NODE_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/table/line_reader.h"
#include "common/table/table_dialect.h"
#include "common/table/text_fields.h"

namespace slice {

// The type of nodes whose type is not known.
inline constexpr std::string_view kOnlyNodeType = "node";

// One row, checked. Texts point into the line or into its parser.
struct NodeRow {
  TextField key, type, name;
  // One number per attribute column; NaN where the node has no value.
  std::vector<float> attributes;
};

// Node files have a key, a type and a name per line, separated by tabs, commas
// or semicolons. The first row is a header when it names the key and one of
// type and name (common/table/column_names.h), or when it is the first line and
// starts with `id` or `key`. Recognise also takes a first row for a header that
// has a name such as user_id and shares no word with the other rows. A
// header may leave out the type or the name, and may name more columns. A label
// is the type; it is the name when no column is called so and nearly all rows
// have a label of their own. Columns in `attribute_columns` are attributes;
// further columns are ignored.
// Thread-compatible.
class NodeRowParser {
 public:
  explicit NodeRowParser(std::vector<std::string> attribute_columns)
      : attribute_columns_(std::move(attribute_columns)) {}

  // Looks at the rows that `reader` has not returned yet and sets how they are
  // written. Returns that as one line; empty when there is no row.
  std::string Recognise(LineReader* reader);

  // Fills `row`, which is valid until the next call, or returns why the line is
  // no row. For the header line the key of `row` is empty.
  std::optional<LineError> Parse(const TextLine& line, NodeRow* row);

 private:
  using Rows = std::span<const std::vector<std::string>>;

  bool IsHeader(uint64_t line, const std::vector<std::string>& names) const;
  void LookAtSample(Rows rows);
  void NameColumns(std::vector<std::string> names);
  std::optional<LineError> ReadHeader(std::vector<std::string> names);
  std::optional<LineError> ReadAttributes(NodeRow* row);

  std::vector<std::string> attribute_columns_;
  std::vector<std::string> names_ = {"key", "type", "name"};  // by column
  size_t key_ = 0;
  std::optional<size_t> type_ = 1, name_ = 2;
  std::vector<size_t> attributes_;  // positions of the attribute columns
  TableDialect dialect_;
  FieldSplitter splitter_{dialect_};
  bool has_rows_ = false;
  bool names_ids_ = false;      // the first row is a header, for a name in it
  bool label_is_name_ = false;  // nearly all labels differ
  std::vector<TextField> fields_;  // of the last line
};

// Of an end of a link whose key the node file `nodes` lacks.
LineError UnknownKey(const TextField& key, const std::filesystem::path& nodes);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NODE_ROWS_H_
