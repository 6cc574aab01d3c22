#include "common/table/column_roles.h"

#include <algorithm>

#include "common/table/column_names.h"
#include "common/table/header_recognition.h"

namespace slice {

bool HasRole(const ColumnRoles& roles, const char* role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

std::vector<std::string> MissingEnds(const ColumnRoles& roles) {
  std::vector<std::string> missing;
  for (const char* role : {"source", "target"}) {
    if (!HasRole(roles, role)) missing.push_back(role);
  }
  return missing;
}

bool IsBetweenEnds(size_t i, const ColumnRoles& roles) {
  const auto at = roles.begin() + static_cast<std::ptrdiff_t>(i);
  return std::find(roles.begin(), at, "source") != at &&
         std::find(at, roles.end(), "target") != roles.end();
}

std::optional<ColumnRoles> KeysBesideValues(
    std::span<const std::vector<std::string>> rows, const ColumnRoles& roles) {
  if (!MissingEnds(roles).empty()) return std::nullopt;
  ColumnRoles likely(roles.size(), "_");
  size_t keys = 0;
  for (size_t i = 0; i < roles.size(); ++i) {
    if (roles[i] == "_") {
      if (keys < 2 && LooksLikeColumnOfIds(rows.front()[i]))
        likely[i] = keys++ == 0 ? "source" : "target";
    } else if (roles[i] != "source" && roles[i] != "target") {
      likely[i] = roles[i];
    } else if (!AllBelow(rows, i, IsValue)) {
      return std::nullopt;
    }
  }
  if (keys < 2) return std::nullopt;
  return likely;
}

bool IsLabel(const std::string& text) { return text == "0" || text == "1"; }

bool IsDate(const std::string& text) {
  return IsValue(text) && text.find_first_of("-/:", 1) != std::string::npos;
}

}  // namespace slice
