#include "server/graph/link_resolver.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "graphstore/name_resolver.h"

namespace slice {
absl::Status InPart(const std::string& part, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(part, ": ", status.message()));
}

absl::StatusOr<NodeId> ResolveNode(const GraphSnapshot& snapshot,
                                   const v1::NodeRef& reference,
                                   size_t suggestions) {
  if (reference.has_key()) {
    return ResolveKey(snapshot, reference.key(), reference.type(), suggestions);
  }
  return ResolveKeyOrName(snapshot, reference.name(), reference.type(),
                          suggestions);
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
