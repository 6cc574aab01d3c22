// From the names of a request to ids of a graph.
#ifndef SLICE_SERVER_PIPELINE_LINK_RESOLVER_H_
#define SLICE_SERVER_PIPELINE_LINK_RESOLVER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/near_miss.h"
#include "proto/slice/v1/graph.pb.h"
#include "proto/slice/v1/link_prediction.pb.h"

namespace slice {

// The node meant. A name that fits no node is also tried as a key. NOT_FOUND
// when there is none, or when it has another type than asked. The message names
// near misses, at most `suggestions`: to find them takes most of the time.
// FAILED_PRECONDITION lists the keys of an ambiguous name. REQUIRES: the
// reference passed ValidateRequest.
absl::StatusOr<NodeId> ResolveNode(const GraphSnapshot& snapshot,
                                   const v1::NodeRef& reference,
                                   size_t suggestions = kSuggestions);

// NOT_FOUND with near misses named.
absl::StatusOr<RelationId> ResolveRelation(const GraphSnapshot& snapshot,
                                           std::string_view relation,
                                           size_t suggestions = kSuggestions);

// NOT_FOUND with near misses named.
absl::StatusOr<NodeTypeId> ResolveType(const GraphSnapshot& snapshot,
                                       const std::string& type);

// The same status, its message beginning with the part at fault: "source: ...".
absl::Status InPart(const std::string& part, const absl::Status& status);

// Which part of a link was at fault.
enum class LinkPart { kNone, kSource, kRelation, kTarget };

struct ResolvedLink {
  absl::Status status;  // as above, beginning with the part: "source: ..."
  LinkPart fault = LinkPart::kNone;
  Link link;  // set when status is OK
};

ResolvedLink ResolveLink(const GraphSnapshot& snapshot,
                         const v1::LinkRef& reference,
                         size_t suggestions = kSuggestions);

// The node as it goes on the wire.
void FillNode(const GraphSnapshot& snapshot, NodeId node, v1::Node* out);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_RESOLVER_H_
