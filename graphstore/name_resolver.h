// Turns the words of a user into ids: a node by key, name or `type:name`, a
// relation, a node type. An error repeats the text, cut when it is long, and
// lists what the user may have meant.
#ifndef SLICE_GRAPHSTORE_NAME_RESOLVER_H_
#define SLICE_GRAPHSTORE_NAME_RESOLVER_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/did_you_mean.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// In all functions below: `type` is the name of a node type, empty for any
// type. Errors are NOT_FOUND and list at most `suggestions` similar names.
// To find similar names takes most of the time of a call that fails.

// The node whose key is exactly `key`.
absl::StatusOr<NodeId> ResolveKey(const GraphSnapshot& graph,
                                  std::string_view key,
                                  std::string_view type = {},
                                  size_t suggestions = kSuggestions);

// The node that `text` means: the node with this key, else the one node with
// this name. When no name equals `text`, upper and lower case (ASCII) are not
// distinguished. Without `type`, a node type and a colon may precede the key or
// the name: `type:name`. FAILED_PRECONDITION when several nodes have the name;
// the error lists their keys (at most five, then a count).
absl::StatusOr<NodeId> ResolveKeyOrName(const GraphSnapshot& graph,
                                        std::string_view text,
                                        std::string_view type = {},
                                        size_t suggestions = kSuggestions);

absl::StatusOr<RelationId> ResolveRelation(const GraphSnapshot& graph,
                                           std::string_view relation,
                                           size_t suggestions = kSuggestions);

absl::StatusOr<NodeTypeId> ResolveNodeType(const GraphSnapshot& graph,
                                           std::string_view type,
                                           size_t suggestions = kSuggestions);

// The link of these names in ids of the graph, which need not have it. Nodes
// are given by key. Nullopt when the graph lacks a node or the relation.
std::optional<Link> FindLinkByKeys(const GraphSnapshot& graph,
                                   std::string_view relation,
                                   std::string_view source,
                                   std::string_view target);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NAME_RESOLVER_H_
