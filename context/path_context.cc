// Makes the default context: the two ends, and a path token for each type of
// path that TypedPathSearch finds. Every token overwrites an old one in its
// place, so that nothing is allocated once the context is large enough.
//
// The end tokens have log_degree, the distance to the other end, unreachable
// and slot_degree, as in context/context_assembly.cc, with 3 for max_hops.
//
// A path token has these features; its other features are 0:
//   path_count       log1p(paths of the type) / 4
//   path_weight      (log(weight) + 4) / 4, with the weight of the type
//                    (context/typed_path_search.h)
//   path_best        the same with the weight of its best path
//   path_share       the weight of the type divided by the weight of all kept
//                    types of its length
//   path_<i>_is_query, path_<i>_is_query_back
//                    1 when the i-th step travels the queried relation forwards
//                    (backwards), else 0
//   path_turns_early, path_turns_late
//                    1 when the first and second (second and third) step travel
//                    one relation there and back, so that the nodes before and
//                    after them relate to the node between them alike; else 0
#include "context/path_context.h"

#include <algorithm>
#include <cmath>

#include "context/typed_path_search.h"

namespace slice {
namespace {

constexpr float kLogDegreeScale = 1.0f / 8;
constexpr float kPathCountScale = 1.0f / 4;

float ScaledLogWeight(float weight) { return (std::log(weight) + 4) / 4; }

void SetPath(const TypedPath& path, RelationId relation, float weight_of_length,
             ContextToken& token) {
  token.kind = TokenKind::kPath;
  token.role = TokenRole::kBetween;
  token.node = kNoNode;
  token.path.clear();
  token.features = {};
  token.relations = path.relations;
  token.path_count = static_cast<uint64_t>(std::llround(path.count));
  for (int i = 0; i + 1 < path.length; ++i) token.path.push_back(path.inner[i]);
  token.features[kPathCount] = std::log1p(path.count) * kPathCountScale;
  token.features[kPathWeight] = ScaledLogWeight(path.weight);
  token.features[kPathBest] = ScaledLogWeight(path.best_weight);
  token.features[kPathShare] = path.weight / weight_of_length;
  const int32_t query = SignedRelation(relation, Direction::kOut);
  for (int i = 0; i < kLongestPath; ++i) {
    token.features[kPathIsQuery + 2 * i] = path.relations[i] == query;
    token.features[kPathIsQuery + 2 * i + 1] = path.relations[i] == -query;
  }
  const auto& [first, second, third] = path.relations;
  token.features[kPathTurnsEarly] = second != 0 && first == -second;
  token.features[kPathTurnsLate] = third != 0 && second == -third;
}

void SetEndDistance(int distance, ContextToken& token) {
  const float away = distance < 0 ? 1.0f : float(distance) / kLongestPath;
  const bool source = token.role == TokenRole::kSource;
  token.features[source ? kTargetDistance : kSourceDistance] = away;
  token.features[kUnreachable] = distance < 0;
}

void SetEnd(const GraphView& view, const Link& link, bool source, int distance,
            ContextToken& token) {
  const auto log_of = [](size_t count) {
    return std::log1p(static_cast<float>(count)) * kLogDegreeScale;
  };
  token.kind = TokenKind::kNode;
  token.path.clear();
  token.relations = {0, 0, 0};
  token.features = {};
  token.path_count = 0;
  token.role = source ? TokenRole::kSource : TokenRole::kTarget;
  token.node = source ? link.source : link.target;
  token.features[kLogDegree] = log_of(view.NeighborCount(token.node));
  SetEndDistance(distance, token);
  token.features[kSlotDegree] =
      log_of(view.SlotDegree(token.node, link.relation, Direction::kOut) +
             view.SlotDegree(token.node, link.relation, Direction::kIn));
}

}  // namespace

void CutTypedPaths(const GraphView& view, const Link& link,
                   const ContextOptions& options, ContextSubgraph& context) {
  thread_local TypedPathSearch search;  // its scratch memory is reused
  TypedPathLimits limits;
  limits.types = static_cast<size_t>(options.max_nodes);
  const std::vector<TypedPath>& paths = search.Find(view, link, limits);
  AssemblePathContext(view, link, paths, search.truncated(), context);
  // A path that did not fit into the context still tells the distance. The
  // features of the ends are those of the paths that did.
  if (context.distance != 0 && search.shortest() > 0) {
    context.distance = search.shortest();
  }
}

void SetDistance(int distance, ContextSubgraph& context) {
  context.distance = distance;
  SetEndDistance(distance, context.tokens[0]);
  SetEndDistance(distance, context.tokens[1]);
}

void AssemblePathContext(const GraphView& view, const Link& link,
                         std::span<const TypedPath> paths, bool truncated,
                         ContextSubgraph& context) {
  context.link = link;
  context.edges.clear();
  context.distance = link.source == link.target ? 0 : -1;
  context.truncated = truncated;
  std::array<float, kLongestPath + 1> weights = {};
  for (const TypedPath& path : paths) {
    weights[path.length] += path.weight;
    if (context.distance < 0 || path.length < context.distance) {
      context.distance = path.length;
    }
  }
  context.tokens.resize(paths.size() + 2);
  SetEnd(view, link, true, context.distance, context.tokens[0]);
  SetEnd(view, link, false, context.distance, context.tokens[1]);
  for (size_t i = 0; i < paths.size(); ++i) {
    SetPath(paths[i], link.relation, weights[paths[i].length],
            context.tokens[i + 2]);
  }
}

}  // namespace slice
