// What makes a request malformed, told before any work is done for it.
#ifndef SLICE_SERVER_RPC_REQUEST_VALIDATION_H_
#define SLICE_SERVER_RPC_REQUEST_VALIDATION_H_

#include <string>

#include "absl/status/status.h"
#include "proto/slice/v1/graph.pb.h"
#include "proto/slice/v1/link_prediction.pb.h"

namespace slice {

// The longest key, name, type, relation or prefix a request may hold, in bytes.
inline constexpr size_t kMaxTextBytes = 1024;

// All return OK or INVALID_ARGUMENT "<field>: <problem>", the field written as
// in "links[3].source.key".
absl::Status ValidateRequest(const v1::PredictLinksRequest& request);
absl::Status ValidateRequest(const v1::RecommendLinksRequest& request);
absl::Status ValidateRequest(const v1::FindNodesRequest& request);
absl::Status ValidateRequest(const v1::GetNeighborsRequest& request);

// A page size after defaults: 0 means `fallback`. INVALID_ARGUMENT is left to
// ValidateRequest.
int PageSizeOr(int page_size, int fallback);

inline constexpr int kMaxRecommendations = 1000;
inline constexpr int kDefaultRecommendations = 10;
inline constexpr int kMaxRecommendCandidates = 10000;

inline constexpr int kMaxPageSize = 1000;
inline constexpr int kDefaultFindPageSize = 20;
inline constexpr int kDefaultNeighborsPageSize = 100;

}  // namespace slice

#endif  // SLICE_SERVER_RPC_REQUEST_VALIDATION_H_
