// Look-ups in the snapshot's catalogue and name index. All that is special here
// are the errors: they repeat the caller's text (cut when it is long), name the
// part of the link at fault, and suggest similar names. The caller limits the
// suggestions, because finding them costs more than scoring a link.
#include "server/pipeline/link_resolver.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "server/limits.h"

namespace slice {
namespace {

std::string DidYouMean(const std::vector<std::string>& near_misses) {
  if (near_misses.empty()) return "";
  return absl::StrCat("; did you mean ", absl::StrJoin(near_misses, ", "), "?");
}

// The text of a caller for an error message, cut between two characters when it
// is long.
std::string Quoted(std::string_view text) {
  if (text.size() <= kMaxQuotedBytes) return std::string(text);
  size_t end = kMaxQuotedBytes;
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
        "no node has the key '", Quoted(key), "'",
        DidYouMean(snapshot.names().NearMisses(key, suggestions))));
  }
  const std::string& found = snapshot.TypeName(snapshot.Type(*node));
  if (!type.empty() && found != type) {
    return absl::NotFoundError(absl::StrCat("node '", Quoted(key),
                                            "' has type '", found, "', not '",
                                            Quoted(type), "'"));
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
      absl::StrCat("unknown node type '", Quoted(type), "'",
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
  // A key takes precedence over an equal name, unless its node has another type
  // than the reference says.
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
      "unknown relation '", Quoted(relation), "'",
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
