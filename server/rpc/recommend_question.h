// Turns the names of a RecommendLinks request into a question.
#ifndef SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_
#define SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_

#include "absl/status/statusor.h"
#include "model/link_recommender.h"
#include "server/models/served_model.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// Resolves the known end, the relation and the candidates. The candidates are
// the nodes that the request names. When it names none, they are the nodes that
// fit the unknown end of the relation (GraphSnapshot::Fits), without the known
// end itself. Nodes that the relation already links to the known end, in the
// direction asked for, are left out unless request.include_existing() is true.
// Takes O(nodes).
//
// Returns the errors of ResolveNode, ResolveRelation and ResolveNodeType, with
// the field before the message ("source: ...", "candidates[3]: ..."), and
// NOT_FOUND for a type that the graph does not have at the unknown end.
// REQUIRES: the request passed ValidateRequest.
absl::StatusOr<RecommendQuestion> ResolveRecommendQuestion(
    const ModelOnGraph& served, const v1::RecommendLinksRequest& request);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RECOMMEND_QUESTION_H_
