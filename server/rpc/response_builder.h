// Fills the reply messages of the RPCs.
#ifndef SLICE_SERVER_RPC_RESPONSE_BUILDER_H_
#define SLICE_SERVER_RPC_RESPONSE_BUILDER_H_

#include "absl/status/status.h"
#include "server/models/served_model.h"
#include "server/pipeline/link_job.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// The reply to a job whose items have ended. Returns RESOURCE_EXHAUSTED, with
// advice on what to request instead, when the reply is larger than
// kMaxSendBytes.
absl::Status BuildPredictLinksResponse(const LinkJob& job,
                                       v1::PredictLinksResponse* response);

// The reply to a job that the pipeline refused, in which every link has
// `status`.
void BuildRefusedResponse(const LinkJob& job, const absl::Status& status,
                          v1::PredictLinksResponse* response);

void BuildGetModelInfoResponse(const ServedModel& model,
                               v1::GetModelInfoResponse* response);

void BuildListRelationsResponse(const ServedModel& model,
                                v1::ListRelationsResponse* response);

// Fills one page. Returns NOT_FOUND for an unknown type; INVALID_ARGUMENT for a
// malformed page token and for the token of another request.
absl::Status BuildFindNodesResponse(const ServedModel& model,
                                    const v1::FindNodesRequest& request,
                                    v1::FindNodesResponse* response);

// Fills one page. Returns the errors of ResolveNode and ResolveRelation;
// INVALID_ARGUMENT for a page token as in BuildFindNodesResponse.
absl::Status BuildGetNeighborsResponse(const ServedModel& model,
                                       const v1::GetNeighborsRequest& request,
                                       v1::GetNeighborsResponse* response);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RESPONSE_BUILDER_H_
