#include "common/table/known_relations.h"

#include <algorithm>

#include "common/did_you_mean.h"

namespace slice {

bool KnownRelations::Has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::optional<size_t> KnownRelations::FindColumn(
    const std::vector<Row>& rows) const {
  const size_t width = rows.empty() ? 0 : rows.front().size();
  for (size_t i = 0; i < width; ++i) {
    const auto known = std::count_if(
        rows.begin(), rows.end(),
        [&](const Row& row) { return i < row.size() && Has(row[i]); });
    if (known > 0 && 2 * known >= std::ssize(rows)) return i;
  }
  return std::nullopt;
}

bool KnownRelations::StandBelowHeader(const std::vector<Row>& rows) const {
  const std::optional<size_t> column = FindColumn(rows);
  if (!column) return false;
  const std::string& name = rows.front()[*column];
  return !Has(name) && NearestStrings(name, names_).empty();
}

bool KnownRelations::StandInFirst(const std::vector<Row>& rows) const {
  const std::optional<size_t> column = FindColumn(rows);
  return column && Has(rows.front()[*column]);
}

}  // namespace slice
