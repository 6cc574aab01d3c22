// The rows of link files: which column holds what, and what is in it.
#ifndef SLICE_GRAPHSTORE_LINK_ROWS_H_
#define SLICE_GRAPHSTORE_LINK_ROWS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/edge_list_reader.h"

namespace slice {

// The relation of links in files without a relation column.
inline constexpr std::string_view kOnlyRelation = "link";

// Weights of links are from 1 / kMostLinkWeight to kMostLinkWeight, so that
// sums of them are finite and not zero.
inline constexpr float kMostLinkWeight = 1e30f;

// Which column of a link file holds what. Immutable.
class LinkColumns {
 public:
  // relation, source, target.
  LinkColumns();

  // From a list such as "source,relation,target,weight": each of relation,
  // source, target, label and weight at most once, "_" for a column to skip.
  // Source and target must be there; without relation all links have
  // kOnlyRelation. INVALID_ARGUMENT naming what is wrong.
  static absl::StatusOr<LinkColumns> Parse(std::string_view list);

  // The same with a label at the end that rows may leave out; itself when it
  // has a label already.
  LinkColumns WithOptionalLabel() const;

  // As Parse takes it.
  std::string ToString() const;

  bool has_weight() const { return weight_.has_value(); }
  bool has_label() const { return label_.has_value(); }

  bool operator==(const LinkColumns&) const = default;

 private:
  friend class LinkRowParser;

  std::vector<std::string> names_;  // by column
  std::optional<size_t> relation_, label_, weight_;
  size_t source_ = 1, target_ = 2;
  bool label_optional_ = false;
};

// One row, checked. Texts point into the line.
struct LinkRow {
  TextField relation, source, target;
  bool positive = true;  // 1 when there is no label
  size_t label_column = 1;
  float weight = 1;
};

// Thread-compatible.
class LinkRowParser {
 public:
  explicit LinkRowParser(LinkColumns columns) : columns_(std::move(columns)) {}

  // Fills `row`: the right number of fields, identifiers that may be keys, a
  // label that is 1 or 0, a weight above 0.
  std::optional<LineError> Parse(const TextLine& line, LinkRow* row);

  const LinkColumns& columns() const { return columns_; }

 private:
  const LinkColumns columns_;
  std::vector<TextField> fields_;  // of the last line
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_ROWS_H_
