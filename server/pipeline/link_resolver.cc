#include "server/pipeline/link_resolver.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"

namespace slice {
namespace {

std::string DidYouMean(const std::vector<std::string>& near_misses) {
  if (near_misses.empty()) return "";
  return absl::StrCat("; did you mean ", absl::StrJoin(near_misses, ", "), "?");
}

// Long texts are cut in messages: they travel in a trailer of 8 KiB.
std::string Shown(std::string_view text) {
  constexpr size_t kShownBytes = 120;
  if (text.size() <= kShownBytes) return std::string(text);
  size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end;
  }
  return std::string(text.substr(0, end)) + "...";
}

absl::StatusOr<NodeId> FindByKey(const GraphSnapshot& snapshot,
                                 const std::string& key,
                                 const std::string& type, size_t suggestions) {
  const std::optional<NodeId> node = snapshot.names().FindKey(key);
  if (!node.has_value()) {
    return absl::NotFoundError(absl::StrCat(
        "no node has the key '", Shown(key), "'",
        DidYouMean(snapshot.names().NearMisses(key, suggestions))));
  }
  const std::string& found = snapshot.TypeName(snapshot.Type(*node));
  if (!type.empty() && found != type) {
    return absl::NotFoundError(absl::StrCat("node '", Shown(key),
                                            "' has type '", found, "', not '",
                                            Shown(type), "'"));
  }
  return *node;
}

}  // namespace

absl::StatusOr<NodeTypeId> ResolveType(const GraphSnapshot& snapshot,
                                       const std::string& type) {
  const auto& types = snapshot.catalogue().node_types;
  const auto found = std::find(types.begin(), types.end(), type);
  if (found != types.end()) {
    return static_cast<NodeTypeId>(found - types.begin());
  }
  return absl::NotFoundError(
      absl::StrCat("unknown node type '", Shown(type), "'",
                   DidYouMean(NearestStrings(type, types))));
}

absl::Status InPart(const std::string& part, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(part, ": ", status.message()));
}

absl::StatusOr<NodeId> ResolveNode(const GraphSnapshot& snapshot,
                                   const v1::NodeRef& reference,
                                   size_t suggestions) {
  if (!reference.type().empty()) {
    SLICE_RETURN_IF_ERROR(ResolveType(snapshot, reference.type()).status());
  }
  if (reference.has_key()) {
    return FindByKey(snapshot, reference.key(), reference.type(), suggestions);
  }
  // A key is unique and so comes first, unless the type asked for says that a
  // name is meant.
  return snapshot.names().Resolve(reference.name(), reference.type(),
                                  suggestions);
}

absl::StatusOr<RelationId> ResolveRelation(const GraphSnapshot& snapshot,
                                           std::string_view relation,
                                           size_t suggestions) {
  const std::optional<RelationId> found = snapshot.FindRelation(relation);
  if (found.has_value()) return *found;
  const auto& relations = snapshot.catalogue().relations;
  return absl::NotFoundError(absl::StrCat(
      "unknown relation '", Shown(relation), "'",
      DidYouMean(NearestStrings(relation, relations, suggestions))));
}

ResolvedLink ResolveLink(const GraphSnapshot& snapshot,
                         const v1::LinkRef& reference, size_t suggestions) {
  ResolvedLink resolved;
  const auto relation =
      ResolveRelation(snapshot, reference.relation(), suggestions);
  if (!relation.ok()) {
    resolved.status = InPart("relation", relation.status());
    resolved.fault = LinkPart::kRelation;
    return resolved;
  }
  const auto source = ResolveNode(snapshot, reference.source(), suggestions);
  if (!source.ok()) {
    resolved.status = InPart("source", source.status());
    resolved.fault = LinkPart::kSource;
    return resolved;
  }
  const auto target = ResolveNode(snapshot, reference.target(), suggestions);
  if (!target.ok()) {
    resolved.status = InPart("target", target.status());
    resolved.fault = LinkPart::kTarget;
    return resolved;
  }
  resolved.link = Link{*source, *relation, *target};
  return resolved;
}

void FillNode(const GraphSnapshot& snapshot, NodeId node, v1::Node* out) {
  out->set_key(snapshot.Key(node));
  out->set_name(snapshot.Name(node));
  out->set_type(snapshot.TypeName(snapshot.Type(node)));
}

}  // namespace slice
