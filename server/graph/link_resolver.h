// Turns the names of a request into ids of a graph, and ids into names.
#ifndef SLICE_SERVER_GRAPH_LINK_RESOLVER_H_
#define SLICE_SERVER_GRAPH_LINK_RESOLVER_H_

#include <string>

#include "absl/status/statusor.h"
#include "common/did_you_mean.h"
#include "graphstore/graph_snapshot.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// The node that `reference` means: by its key, else by its name, which may also
// be a key or `type:name`. Returns the errors of graphstore/name_resolver.h,
// with at most `suggestions` similar names. REQUIRES: the reference passed
// ValidateRequest.
absl::StatusOr<NodeId> ResolveNode(const GraphSnapshot& snapshot,
                                   const v1::NodeRef& reference,
                                   size_t suggestions = kSuggestions);

// `status` with the part of the request at fault before its message:
// "source: ...".
absl::Status InPart(const std::string& part, const absl::Status& status);

// The part of a link that could not be resolved.
enum class LinkPart { kNone, kSource, kRelation, kTarget };

struct ResolvedLink {
  absl::Status status;  // as above, with the part: "source: ..."
  LinkPart fault = LinkPart::kNone;
  Link link;  // set when status is OK
};

ResolvedLink ResolveLink(const GraphSnapshot& snapshot,
                         const v1::LinkRef& reference,
                         size_t suggestions = kSuggestions);

// Fills the message that describes a node.
void FillNode(const GraphSnapshot& snapshot, NodeId node, v1::Node* out);

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_LINK_RESOLVER_H_
