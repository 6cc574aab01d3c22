// Three steps: the known end, relation and direction (ResolveEnd); the
// candidates, either those that the request names (NamedNodes) or all that fit
// (FittingNodes); and the removal of nodes that are linked already.
#include "server/rpc/recommend_question.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "context/slot_candidates.h"
#include "graphstore/name_resolver.h"
#include "server/graph/link_resolver.h"
#include "server/limits.h"

namespace slice {
namespace {

absl::StatusOr<EndQuestion> ResolveEnd(
    const GraphSnapshot& snapshot, const v1::RecommendLinksRequest& request) {
  const auto relation = ResolveRelation(snapshot, request.relation());
  if (!relation.ok()) return InPart("relation", relation.status());
  const bool has_source = request.has_source();
  const auto anchor =
      ResolveNode(snapshot, has_source ? request.source() : request.target());
  if (!anchor.ok()) {
    return InPart(has_source ? "source" : "target", anchor.status());
  }
  return EndQuestion{*anchor, *relation,
                     has_source ? Direction::kOut : Direction::kIn};
}

std::string TypeNames(const GraphSnapshot& snapshot,
                      std::span<const NodeTypeId> types) {
  std::vector<std::string> names;
  for (const NodeTypeId type : types) names.push_back(snapshot.TypeName(type));
  return absl::StrJoin(names, ", ");
}

// The nodes whose types the graph has at the unknown end of the relation; only
// those of `type_name` unless it is empty.
absl::StatusOr<std::vector<NodeId>> FittingNodes(const ModelOnGraph& served,
                                                 const EndQuestion& question,
                                                 const std::string& type_name) {
  const GraphSnapshot& snapshot = served.graph;
  const bool targets = question.direction == Direction::kOut;
  const std::span<const NodeTypeId> types =
      served.schema().types(question.relation, Reverse(question.direction));
  if (type_name.empty()) return NodesOfTypes(snapshot, types);
  const auto type = ResolveNodeType(snapshot, type_name);
  if (!type.ok()) return InPart("type", type.status());
  if (!types.empty() &&
      std::find(types.begin(), types.end(), *type) == types.end()) {
    return absl::NotFoundError(absl::StrCat(
        "type: no ", targets ? "target" : "source", " of '",
        snapshot.RelationName(question.relation), "' has the type '", type_name,
        "'; there are: ", TypeNames(snapshot, types)));
  }
  return NodesOfTypes(snapshot, {&*type, 1});
}

// The candidates that the request names, without repetition; only those of its
// type if it names one.
absl::StatusOr<std::vector<NodeId>> NamedNodes(
    const GraphSnapshot& snapshot, const v1::RecommendLinksRequest& request) {
  std::vector<NodeId> nodes;
  for (int i = 0; i < request.candidates_size(); ++i) {
    const auto node = ResolveNode(snapshot, request.candidates(i));
    if (!node.ok()) {
      return InPart(absl::StrCat("candidates[", i, "]"), node.status());
    }
    nodes.push_back(*node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (request.type().empty()) return nodes;
  const auto type = ResolveNodeType(snapshot, request.type());
  if (!type.ok()) return InPart("type", type.status());
  std::erase_if(nodes,
                [&](NodeId node) { return snapshot.Type(node) != *type; });
  return nodes;
}

}  // namespace

absl::StatusOr<RecommendQuestion> ResolveRecommendQuestion(
    const ModelOnGraph& served, const v1::RecommendLinksRequest& request) {
  const GraphSnapshot& snapshot = served.graph;
  RecommendQuestion resolved;
  SLICE_ASSIGN_OR_RETURN(resolved.question, ResolveEnd(snapshot, request));
  const EndQuestion& question = resolved.question;
  if (request.candidates().empty()) {
    SLICE_ASSIGN_OR_RETURN(resolved.candidates,
                           FittingNodes(served, question, request.type()));
    std::erase(resolved.candidates, question.anchor);
    EraseUnfit(snapshot, served.schema(), question.relation, question.direction,
               resolved.candidates);
  } else {
    SLICE_ASSIGN_OR_RETURN(resolved.candidates, NamedNodes(snapshot, request));
  }
  if (!request.include_existing()) {
    EraseLinked(snapshot, question, resolved.candidates);
  }
  resolved.k = static_cast<size_t>(request.k() == 0 ? kDefaultRecommendations
                                                    : request.k());
  resolved.reading = served.model.manifest.reading;
  if (!request.scorer().empty()) {
    SLICE_ASSIGN_OR_RETURN(resolved.reading.scorer,
                           ParseScorer(request.scorer()));
  }
  resolved.reading.prior = request.prior();
  return resolved;
}

}  // namespace slice
