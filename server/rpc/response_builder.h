// Fills the messages of the replies.
#ifndef SLICE_SERVER_RPC_RESPONSE_BUILDER_H_
#define SLICE_SERVER_RPC_RESPONSE_BUILDER_H_

#include "absl/status/status.h"
#include "proto/slice/v1/graph.pb.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/served_model.h"

namespace slice {

// The reply to a job whose items have ended. RESOURCE_EXHAUSTED when it would
// be larger than kMaxSendBytes; the message says what to request instead.
absl::Status BuildPredictLinksResponse(const LinkJob& job,
                                       v1::PredictLinksResponse* response);

// The reply to a job that the pipeline refused: every link has `status`.
void BuildRefusedResponse(const LinkJob& job, const absl::Status& status,
                          v1::PredictLinksResponse* response);

void BuildGetModelInfoResponse(const ServedModel& model,
                               v1::GetModelInfoResponse* response);

void BuildListRelationsResponse(const ServedModel& model,
                                v1::ListRelationsResponse* response);

// One page. NOT_FOUND for an unknown type; INVALID_ARGUMENT for a malformed
// page token and for the token of another request.
absl::Status BuildFindNodesResponse(const ServedModel& model,
                                    const v1::FindNodesRequest& request,
                                    v1::FindNodesResponse* response);

// One page. Returns the errors of ResolveNode and ResolveRelation;
// INVALID_ARGUMENT as above.
absl::Status BuildGetNeighborsResponse(const ServedModel& model,
                                       const v1::GetNeighborsRequest& request,
                                       v1::GetNeighborsResponse* response);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RESPONSE_BUILDER_H_
