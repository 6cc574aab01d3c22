// The names of the node types of a graph.
#ifndef SLICE_GRAPHSTORE_TYPE_NAMES_H_
#define SLICE_GRAPHSTORE_TYPE_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "graphstore/types.h"

namespace slice {

// Immutable; thread-safe.
class TypeNames {
 public:
  explicit TypeNames(std::vector<std::string> names);
  TypeNames(const TypeNames&) = delete;
  TypeNames& operator=(const TypeNames&) = delete;

  // By id.
  const std::vector<std::string>& names() const { return names_; }
  // The type with this name. O(1).
  std::optional<NodeTypeId> Find(std::string_view name) const;

 private:
  const std::vector<std::string> names_;
  absl::flat_hash_map<absl::string_view, NodeTypeId> ids_;  // views of names_
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TYPE_NAMES_H_
