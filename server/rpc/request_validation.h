// Finds malformed requests before any work is done for them. The limits are in
// server/limits.h; ParseRequest has bounded the bytes of a request.
#ifndef SLICE_SERVER_RPC_REQUEST_VALIDATION_H_
#define SLICE_SERVER_RPC_REQUEST_VALIDATION_H_

#include <string>

#include "absl/status/status.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// OK, or INVALID_ARGUMENT "<field>: <problem>" with the field written as in
// "links[3].source.key".
absl::Status ValidateRequest(const v1::PredictLinksRequest& request);
absl::Status ValidateRequest(const v1::RecommendLinksRequest& request);
absl::Status ValidateRequest(const v1::FindNodesRequest& request);
absl::Status ValidateRequest(const v1::GetNeighborsRequest& request);

// The page size to use: `fallback` for 0. REQUIRES: `page_size` passed
// ValidateRequest.
int PageSizeOr(int page_size, int fallback);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_REQUEST_VALIDATION_H_
