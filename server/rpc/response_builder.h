// From what the server knows to the messages of its replies.
#ifndef SLICE_SERVER_RPC_RESPONSE_BUILDER_H_
#define SLICE_SERVER_RPC_RESPONSE_BUILDER_H_

#include "absl/status/status.h"
#include "proto/slice/v1/graph.pb.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/served_model.h"

namespace slice {

// The reply to a finished job. RESOURCE_EXHAUSTED when it would be larger than
// kMaxSendBytes, saying what to ask for instead.
absl::Status BuildPredictLinksResponse(const LinkJob& job,
                                       v1::PredictLinksResponse* response);

// The reply to a job that was not taken: every link has this status.
void BuildRefusedResponse(const LinkJob& job, const absl::Status& status,
                          v1::PredictLinksResponse* response);

void BuildGetModelInfoResponse(const ServedModel& model,
                               v1::GetModelInfoResponse* response);

void BuildListRelationsResponse(const ServedModel& model,
                                v1::ListRelationsResponse* response);

// One page. NOT_FOUND for an unknown type; INVALID_ARGUMENT for a page token
// of another request.
absl::Status BuildFindNodesResponse(const ServedModel& model,
                                    const v1::FindNodesRequest& request,
                                    v1::FindNodesResponse* response);

// One page. Errors of ResolveNode and ResolveRelation, and as above.
absl::Status BuildGetNeighborsResponse(const ServedModel& model,
                                       const v1::GetNeighborsRequest& request,
                                       v1::GetNeighborsResponse* response);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RESPONSE_BUILDER_H_
