// Converts between the messages of the wire contract and the plain structs of
// the client library.
#ifndef SLICE_CLIENT_PROTO_CONVERSION_H_
#define SLICE_CLIENT_PROTO_CONVERSION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/explanation_conversion.h"
#include "client/link_types.h"
#include "client/model_types.h"
#include "client/queue_types.h"
#include "client/recommend_types.h"
#include "client/update_types.h"
#include "grpcpp/support/status.h"
#include "slice/v1/admin.pb.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/graph_update.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Keeps the code and the message. Only the message of UNAVAILABLE may get
// advice at its end (client/connection_advice.h).
absl::Status FromGrpcStatus(const grpc::Status& status);

void ToProto(const NodeQuery& node, v1::NodeRef* ref);
void ToProto(const LinkQuery& link, v1::LinkRef* ref);
// Nodes first, in the order of the lists (DescribeChange).
void ToProto(const WhatIfQuery& query, v1::WhatIf* what_if);
// Sets all fields but the model.
void ToProto(const GraphEdits& edits, v1::ApplyUpdatesRequest* request);
// Sets all fields but the model and the scorer.
void ToProto(const RecommendQuery& query, v1::RecommendLinksRequest* request);
v1::Direction ToProto(ArcDirection direction);

RelationList FromProto(const v1::ListRelationsResponse& reply);
UpdateAnswer FromProto(const v1::ApplyUpdatesResponse& reply);
GraphStateInfo FromProto(const v1::GetGraphStateResponse& reply);
NeighborInfo FromProto(const v1::Neighbor& neighbor);
QueueSnapshot FromProto(const v1::GetQueueStateResponse& reply);
ModelState FromProto(const v1::ModelState& model);
v1::LoadModelRequest LoadRequestOf(const ModelChange& change);

// Returns the errors of an explanation (client/explanation_conversion.h).
absl::StatusOr<ScoredLink> FromProto(const v1::LinkResult& result);

// Errors: those above, and INTERNAL when the number of results is not
// `expected`.
absl::StatusOr<ScoredLinks> FromProto(const v1::PredictLinksResponse& reply,
                                      size_t expected);

// Adds the next reply of a stream to the list. Returns INTERNAL when the rank
// in the reply is not one more than the number of nodes in the list.
absl::Status AddReply(const v1::RecommendLinksResponse& reply,
                      RecommendedNodes* list);

// The bundle and the graph version that every reply carries.
template <typename Reply>
AnswerSource SourceOf(const Reply& reply) {
  return {reply.bundle_id(), reply.graph_version()};
}

}  // namespace slice

#endif  // SLICE_CLIENT_PROTO_CONVERSION_H_
