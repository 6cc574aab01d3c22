// Which column of a link file holds what.
#ifndef SLICE_COMMON_TABLE_LINK_COLUMNS_H_
#define SLICE_COMMON_TABLE_LINK_COLUMNS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// The relation of links in files without a relation column.
inline constexpr std::string_view kOnlyRelation = "link";

// Immutable.
class LinkColumns {
 public:
  // relation, source, target.
  LinkColumns();

  // From a list such as "source,relation,target,weight". Each of relation,
  // source, target, label, weight and time may occur once; "_" stands for a
  // column to skip. Source and target are required. Without a relation column
  // all links have the relation kOnlyRelation. INVALID_ARGUMENT naming what is
  // wrong.
  static absl::StatusOr<LinkColumns> Parse(std::string_view list);

  // These columns, followed by a label that rows may leave out. If there is a
  // label column already, returns these columns unchanged.
  LinkColumns WithOptionalLabel() const;

  // The list that Parse takes.
  std::string ToString() const;

  // The names of the columns in order, "_" for a column to skip.
  const std::vector<std::string>& names() const { return names_; }
  // Positions of the columns.
  size_t source() const { return source_; }
  size_t target() const { return target_; }
  const std::optional<size_t>& relation() const { return relation_; }
  const std::optional<size_t>& label() const { return label_; }
  const std::optional<size_t>& weight() const { return weight_; }
  const std::optional<size_t>& time() const { return time_; }
  // Whether rows may leave out the label.
  bool label_is_optional() const { return label_is_optional_; }

  bool operator==(const LinkColumns&) const = default;

 private:
  std::vector<std::string> names_;
  size_t source_ = 1, target_ = 2;
  std::optional<size_t> relation_, label_, weight_, time_;
  bool label_is_optional_ = false;
};

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_LINK_COLUMNS_H_
