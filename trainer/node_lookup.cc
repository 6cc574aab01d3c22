#include "trainer/node_lookup.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "graphstore/name_resolver.h"

namespace slice {
namespace {

constexpr size_t kErrorsWithSuggestions = 50;

absl::Status InPart(const char* part, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(part, ": ", std::string(status.message())));
}

}  // namespace

size_t NodeLookup::Suggestions() const {
  return unknown_ < kErrorsWithSuggestions ? kSuggestions : 0;
}

absl::StatusOr<NodeId> NodeLookup::Node(std::string_view text) {
  auto node = exact_keys_ ? ResolveKey(graph_, text, {}, Suggestions())
                          : ResolveKeyOrName(graph_, text, {}, Suggestions());
  if (!node.ok()) ++unknown_;
  return node;
}

absl::StatusOr<Link> NodeLookup::FindLink(std::string_view relation,
                                          std::string_view source,
                                          std::string_view target) {
  const auto found = ResolveRelation(graph_, relation, Suggestions());
  if (!found.ok()) {
    ++unknown_;
    return InPart("relation", found.status());
  }
  const auto from = Node(source);
  if (!from.ok()) return InPart("source", from.status());
  const auto to = Node(target);
  if (!to.ok()) return InPart("target", to.status());
  return Link{*from, *found, *to};
}

}  // namespace slice
