// From the names of a RecommendLinks request to a question.
#ifndef SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_
#define SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_

#include "absl/status/statusor.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_recommender.h"
#include "server/pipeline/served_model.h"

namespace slice {

// The candidates are the nodes of the types that the graph has in the place
// asked for, or those named; without the known end itself unless it is named,
// and without the ends of links that exist unless these are wanted. O(nodes).
// NOT_FOUND as ResolveNode, ResolveRelation and ResolveType, the message
// beginning with the field ("source: ...", "candidates[3]: ..."), and for a
// type that no node in that place has. REQUIRES: the request passed
// ValidateRequest.
absl::StatusOr<RecommendQuestion> ResolveRecommendQuestion(
    const ServedModel& model, const v1::RecommendLinksRequest& request);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_
