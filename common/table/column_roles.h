// Roles of the columns of a link file while they are recognised: a name for
// each column, such as "source", and "_" where there is none.
#ifndef SLICE_COMMON_TABLE_COLUMN_ROLES_H_
#define SLICE_COMMON_TABLE_COLUMN_ROLES_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slice {

using ColumnRoles = std::vector<std::string>;

bool HasRole(const ColumnRoles& roles, const char* role);

// Those of "source" and "target" that no column has.
std::vector<std::string> MissingEnds(const ColumnRoles& roles);

// Whether column `i` stands between the columns of source and target.
bool IsBetweenEnds(size_t i, const ColumnRoles& roles);

// Where the names of the columns give both ends columns of numbers or dates,
// and two columns without a role are called as columns of ids: roles that make
// those two the ends, for advice. Nothing in every other table. `rows` begins
// with the header, and `roles` are of the names.
std::optional<ColumnRoles> KeysBesideValues(
    std::span<const std::vector<std::string>> rows, const ColumnRoles& roles);

// Whether a field may be a label: 0 or 1.
bool IsLabel(const std::string& text);

// Whether a field is a date or a time, such as 2020-03-01.
bool IsDate(const std::string& text);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_COLUMN_ROLES_H_
