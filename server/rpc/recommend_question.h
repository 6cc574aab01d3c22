// Turns the names of a RecommendLinks request into a question.
#ifndef SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_
#define SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_

#include "absl/status/statusor.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_recommender.h"
#include "server/pipeline/served_model.h"

namespace slice {

// The candidates are the nodes that the request names. When it names none, they
// are the nodes of the types that the graph has at that end of the relation,
// without the known end itself. Nodes that are linked in this way already are
// left out unless the request includes them. O(nodes).
// NOT_FOUND as ResolveNode, ResolveRelation and ResolveNodeType, with the field
// before the message ("source: ...", "candidates[3]: ..."); also for a type
// that the graph does not have at that end. REQUIRES: the request passed
// ValidateRequest.
absl::StatusOr<RecommendQuestion> ResolveRecommendQuestion(
    const ServedModel& model, const v1::RecommendLinksRequest& request);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_
