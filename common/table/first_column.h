// Whether the first of three columns may hold the relations of links.
#ifndef SLICE_COMMON_TABLE_FIRST_COLUMN_H_
#define SLICE_COMMON_TABLE_FIRST_COLUMN_H_

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slice {

// Another column has at least this many times the values of the relation.
inline constexpr size_t kRelationRatio = 4;

// The values of column `i`, as parts of `rows`.
std::set<std::string_view> ValuesBelow(
    std::span<const std::vector<std::string>> rows, size_t i);

struct ColumnDoubt {
  std::string why;      // "the first column has 40 values in 40 rows and ..."
  std::string columns;  // likelier ones, such as "source,relation,target"
};

// Nothing where the first column may be the relation. It cannot where most rows
// have a value of their own there while another column has far fewer. Nor can
// it where one other column holds the same values, as two columns of nodes do,
// and the third one fewer and different values. A few rows cast no doubt.
std::optional<ColumnDoubt> DoubtFirstColumn(
    std::span<const std::vector<std::string>> rows);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_FIRST_COLUMN_H_
