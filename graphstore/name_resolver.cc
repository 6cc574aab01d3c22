// Look-ups in the catalogue and the name index of a snapshot. Most of this file
// is about errors. A text is first read as it stands; then, when it begins with
// a node type and a colon, as `type:text`.
#include "graphstore/name_resolver.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "graphstore/name_index.h"

namespace slice {
namespace {

// The type that a node must have; nothing when `type` is empty, for any type.
absl::StatusOr<std::optional<NodeTypeId>> WantedType(const GraphSnapshot& graph,
                                                     std::string_view type,
                                                     size_t suggestions) {
  if (type.empty()) return std::nullopt;
  SLICE_ASSIGN_OR_RETURN(const NodeTypeId id,
                         ResolveNodeType(graph, type, suggestions));
  return std::optional<NodeTypeId>(id);
}

absl::Status OfAnotherType(const GraphSnapshot& graph, NodeId node,
                           NodeTypeId wanted) {
  return absl::NotFoundError(
      absl::StrCat("node ", Quoted(graph.Key(node)), " has the type ",
                   Quoted(graph.TypeName(graph.Type(node))), ", not ",
                   Quoted(graph.TypeName(wanted))));
}

absl::Status Ambiguous(const GraphSnapshot& graph, std::string_view name,
                       const Namesakes& named) {
  std::vector<std::string> keys;
  for (const NodeId node : named.nodes) {
    keys.push_back(Quoted(graph.Key(node)));
  }
  const std::string about = named.is_exact ? "" : "about ";
  std::string more;
  if (named.count > keys.size()) {
    more = absl::StrCat(" and ", about, named.count - keys.size(), " more");
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "name ", Quoted(name), " is ambiguous: ", about, named.count,
      " nodes have it; use one of the keys ", absl::StrJoin(keys, ", "), more));
}

// A text, and the type that the node it names must have.
struct TypedText {
  std::string_view text;
  std::optional<NodeTypeId> type;
};

// `text` without the type before its first colon; nothing when no type is
// called so.
std::optional<TypedText> SplitType(const GraphSnapshot& graph,
                                   std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto type = graph.FindNodeType(text.substr(0, colon));
  if (!type.has_value()) return std::nullopt;
  return TypedText{text.substr(colon + 1), type};
}

// The nodes that a text names: the one with this key, else all with this name.
Namesakes NodesNamed(const GraphSnapshot& graph, const TypedText& wanted) {
  const auto node = graph.names().FindKey(wanted.text);
  if (node.has_value() &&
      (!wanted.type.has_value() || graph.Type(*node) == *wanted.type)) {
    return {.nodes = {*node}, .count = 1};
  }
  return graph.names().FindName(wanted.text, wanted.type);
}

// The keys of nodes whose keys or names are similar to `wanted`.
std::vector<std::string> SimilarKeys(const GraphSnapshot& graph,
                                     const TypedText& wanted,
                                     size_t suggestions) {
  std::vector<std::string> keys;
  for (const std::string& similar :
       graph.names().NearMisses(wanted.text, suggestions, wanted.type)) {
    for (const NodeId node : NodesNamed(graph, {similar, wanted.type}).nodes) {
      const std::string& key = graph.Key(node);
      const bool listed =
          std::find(keys.begin(), keys.end(), key) != keys.end();
      if (!listed && keys.size() < suggestions) keys.push_back(key);
    }
  }
  return keys;
}

// Why no node is named by `wanted`.
absl::Status NoSuchNode(const GraphSnapshot& graph, const TypedText& wanted,
                        size_t suggestions) {
  if (wanted.type.has_value()) {
    const auto others = NodesNamed(graph, {wanted.text, std::nullopt});
    if (others.count > 0)
      return OfAnotherType(graph, others.nodes[0], *wanted.type);
  }
  return absl::NotFoundError(absl::StrCat(
      "no node has the key or name ", Quoted(wanted.text),
      wanted.type.has_value()
          ? absl::StrCat(" and the type ", Quoted(graph.TypeName(*wanted.type)))
          : "",
      DidYouMean(
          graph.names().NearMisses(wanted.text, suggestions, wanted.type))));
}

}  // namespace

absl::StatusOr<NodeId> ResolveKey(const GraphSnapshot& graph,
                                  std::string_view key, std::string_view type,
                                  size_t suggestions) {
  SLICE_ASSIGN_OR_RETURN(const std::optional<NodeTypeId> wanted,
                         WantedType(graph, type, suggestions));
  const std::optional<NodeId> node = graph.names().FindKey(key);
  if (!node.has_value()) {
    return absl::NotFoundError(absl::StrCat(
        "no node has the key ", Quoted(key),
        DidYouMean(SimilarKeys(graph, {key, wanted}, suggestions))));
  }
  if (wanted.has_value() && graph.Type(*node) != *wanted) {
    return OfAnotherType(graph, *node, *wanted);
  }
  return *node;
}

absl::StatusOr<NodeId> ResolveKeyOrName(const GraphSnapshot& graph,
                                        std::string_view text,
                                        std::string_view type,
                                        size_t suggestions) {
  TypedText wanted{text, std::nullopt};
  SLICE_ASSIGN_OR_RETURN(wanted.type, WantedType(graph, type, suggestions));
  Namesakes named = NodesNamed(graph, wanted);
  if (named.count == 0 && !wanted.type.has_value()) {
    wanted = SplitType(graph, text).value_or(wanted);
    named = NodesNamed(graph, wanted);
  }
  if (named.count == 1) return named.nodes.front();
  if (named.count > 1) return Ambiguous(graph, wanted.text, named);
  return NoSuchNode(graph, wanted, suggestions);
}

absl::StatusOr<RelationId> ResolveRelation(const GraphSnapshot& graph,
                                           std::string_view relation,
                                           size_t suggestions) {
  const std::optional<RelationId> found = graph.FindRelation(relation);
  if (found.has_value()) return *found;
  return absl::NotFoundError(
      absl::StrCat("no relation is called ", Quoted(relation),
                   Alternatives(relation, graph.relations(), suggestions)));
}

absl::StatusOr<NodeTypeId> ResolveNodeType(const GraphSnapshot& graph,
                                           std::string_view type,
                                           size_t suggestions) {
  const std::optional<NodeTypeId> found = graph.FindNodeType(type);
  if (found.has_value()) return *found;
  return absl::NotFoundError(
      absl::StrCat("no node type is called ", Quoted(type),
                   Alternatives(type, graph.node_types(), suggestions)));
}

std::optional<Link> FindLinkByKeys(const GraphSnapshot& graph,
                                   std::string_view relation,
                                   std::string_view source,
                                   std::string_view target) {
  const auto r = graph.FindRelation(relation);
  const auto u = graph.names().FindKey(source);
  const auto v = graph.names().FindKey(target);
  if (!r || !u || !v) return std::nullopt;
  return Link{*u, *r, *v};
}

}  // namespace slice
