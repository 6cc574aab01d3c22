#include "common/table/first_column.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/table/header_recognition.h"

namespace slice {
namespace {

using Values = std::set<std::string_view>;

// How many values of one set are in the other.
size_t CountShared(const Values& values, const Values& others) {
  return static_cast<size_t>(std::count_if(
      values.begin(), values.end(),
      [&](std::string_view value) { return others.contains(value); }));
}

}  // namespace

std::set<std::string_view> ValuesBelow(
    std::span<const std::vector<std::string>> rows, size_t i) {
  Values values;
  for (const std::vector<std::string>& row : rows) {
    if (i < row.size()) values.insert(row[i]);
  }
  return values;
}

std::optional<ColumnDoubt> DoubtFirstColumn(
    std::span<const std::vector<std::string>> rows) {
  // Of this many rows, ends that recur in two columns are no chance.
  constexpr size_t kFewRows = 4;
  if (rows.size() < kFewRows) return std::nullopt;
  const Values first = ValuesBelow(rows, 0);
  for (size_t i = 1; i < 3; ++i) {
    const Values own = ValuesBelow(rows, i), other = ValuesBelow(rows, 3 - i);
    const std::string columns =
        i == 1 ? "source,relation,target" : "source,target,relation";
    if (rows.size() >= kManyRows && first.size() * 2 >= rows.size() &&
        first.size() >= kRelationRatio * own.size()) {
      return ColumnDoubt{
          absl::StrCat("the first column has ", first.size(), " values in ",
                       rows.size(), " rows and column ", i + 1, " has ",
                       own.size()),
          columns};
    }
    if (own.size() < first.size() && CountShared(own, first) == 0 &&
        CountShared(own, other) == 0 &&
        2 * CountShared(first, other) >= first.size()) {
      return ColumnDoubt{absl::StrCat("the first column and column ", 4 - i,
                                      " hold the same values, and column ",
                                      i + 1, " holds others"),
                         columns};
    }
  }
  return std::nullopt;
}

}  // namespace slice
