#include "graphstore/type_names.h"

#include <utility>

namespace slice {

TypeNames::TypeNames(std::vector<std::string> names)
    : names_(std::move(names)) {
  ids_.reserve(names_.size());
  for (size_t type = 0; type < names_.size(); ++type)
    ids_.try_emplace(names_[type], static_cast<NodeTypeId>(type));
}

std::optional<NodeTypeId> TypeNames::Find(std::string_view name) const {
  const auto found = ids_.find(absl::string_view(name.data(), name.size()));
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace slice
