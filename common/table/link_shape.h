// Recognises how a file writes links: its dialect, its header, and which column
// holds what.
#ifndef SLICE_COMMON_TABLE_LINK_SHAPE_H_
#define SLICE_COMMON_TABLE_LINK_SHAPE_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/table/known_relations.h"
#include "common/table/line_reader.h"
#include "common/table/link_columns.h"
#include "common/table/table_dialect.h"

namespace slice {

struct LinkShapeOptions {
  // What the caller says about the columns; recognised when missing.
  std::optional<LinkColumns> columns = {};
  TableFormat format = {};
  // The columns of a file that neither has a header nor speaks against them.
  LinkColumns usual = {};
  // Whether a label may follow in each row.
  bool may_have_label = false;
  KnownRelations relations = {};
};

struct LinkShape {
  TableDialect dialect = {};
  LinkColumns columns = {};
  // Whether the columns are the usual ones because nothing said otherwise: no
  // flag, no header, and no relation that is known.
  bool columns_assumed = false;
  // What the header calls the source and the target; empty without a header.
  std::string source_name = {}, target_name = {};
  // One line: "links.csv: commas and quotes, a header; source is "from", ...".
  std::string recognised = {};

  bool has_header() const { return !source_name.empty(); }
  // Whether the file is written as slice itself writes links.
  bool is_plain() const {
    return dialect == TableDialect{} && !has_header() &&
           columns.WithOptionalLabel() == LinkColumns().WithOptionalLabel();
  }
  // Whether a row with these ends is the header.
  bool IsHeader(std::string_view source, std::string_view target) const {
    return has_header() && source == source_name && target == target_name;
  }
};

// Looks at the rows that `reader` has not returned yet, sets its dialect, and
// passes over the header. INVALID_ARGUMENT when the columns remain unknown: the
// message shows the first row, what was recognised, and the flag that helps.
// `name` is that of the file in messages.
absl::StatusOr<LinkShape> RecogniseLinks(const std::string& name,
                                         const LinkShapeOptions& options,
                                         LineReader* reader);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_LINK_SHAPE_H_
