// Token features, by TokenFeatureNames():
//   log_degree      = log1p(visible distinct neighbours) / 8
//   source_distance = hops to the source over the context's edges / max_hops,
//                     at most 1; 1 when there is no way
//   target_distance = the same to the target
//   unreachable     = 1 when there is no way to the source or none to the
//                     target, else 0
//   slot_degree     = log1p(visible links of the queried relation out of and
//                     into the node) / 8
// A context of one node has log_degree alone; the others are 0.
//
// Token relations, as travelled from the token, distinct: one toward the
// source (to the smallest token one hop nearer), one toward the target, then
// further relations of the same two steps, up to three.
#include "context/context_assembly.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace slice {
namespace {

constexpr size_t kMaxTokens = 64;
constexpr float kLogDegreeScale = 1.0f / 8;

float ScaledLog(size_t count) {
  return std::log1p(static_cast<float>(count)) * kLogDegreeScale;
}

// Which tokens are linked, one bit row per token, and hops over these rows.
class TokenAdjacency {
 public:
  explicit TokenAdjacency(const ContextSubgraph& context) {
    for (const ContextEdge& edge : context.edges) {
      rows_[edge.source] |= uint64_t{1} << edge.target;
      rows_[edge.target] |= uint64_t{1} << edge.source;
    }
  }

  // Hops from each token to `end`, -1 where there is no way.
  std::array<int8_t, kMaxTokens> HopsTo(size_t end) const {
    std::array<int8_t, kMaxTokens> hops;
    hops.fill(-1);
    uint64_t reached = 0;
    uint64_t frontier = uint64_t{1} << end;
    for (int8_t level = 0; frontier != 0; ++level) {
      reached |= frontier;
      uint64_t next = 0;
      for (uint64_t rest = frontier; rest != 0; rest &= rest - 1) {
        const int token = std::countr_zero(rest);
        hops[token] = level;
        next |= rows_[token];
      }
      frontier = next & ~reached;
    }
    return hops;
  }

  // The smallest neighbour of `token` one hop nearer to the end of `hops`.
  // REQUIRES: hops[token] > 0.
  size_t Parent(size_t token,
                const std::array<int8_t, kMaxTokens>& hops) const {
    uint64_t rest = rows_[token];
    while (hops[std::countr_zero(rest)] != hops[token] - 1) rest &= rest - 1;
    return static_cast<size_t>(std::countr_zero(rest));
  }

 private:
  std::array<uint64_t, kMaxTokens> rows_ = {};
};

// The edges among the tokens from `first` on, and among these and token 0.
// (A repeated node, token 1 of a link to itself, takes part in none.)
void AddEdges(const GraphView& view, std::span<const uint16_t> tokens,
              ContextSubgraph& context) {
  const auto add = [&](uint16_t a, uint16_t b) {
    const NodeId from = context.tokens[a].node;
    for (const Arc& arc : view.ArcsBetween(from, context.tokens[b].node)) {
      const bool out = arc.direction == Direction::kOut;
      if (a == b && !out) continue;
      context.edges.push_back({out ? a : b, out ? b : a, arc.relation});
    }
  };
  std::vector<NeighborList> neighbors;
  neighbors.reserve(tokens.size());
  for (size_t i = 0; i < tokens.size(); ++i) {
    const NodeId node = context.tokens[tokens[i]].node;
    neighbors.push_back(view.Neighbors(node));
    for (size_t j = 0; j < i; ++j) {
      const NodeId other = context.tokens[tokens[j]].node;
      const bool linked = neighbors[i].size() < neighbors[j].size()
                              ? neighbors[i].Contains(other)
                              : neighbors[j].Contains(node);
      if (linked) add(tokens[j], tokens[i]);
    }
    add(tokens[i], tokens[i]);
  }
  std::sort(context.edges.begin(), context.edges.end());
}

// The signed relations of the edges between two tokens, as travelled from
// `from`.
std::vector<int32_t> RelationsBetween(const ContextSubgraph& context,
                                      size_t from, size_t to) {
  std::vector<int32_t> relations;
  const auto collect = [&](size_t source, size_t target, Direction direction) {
    const ContextEdge first{static_cast<uint16_t>(source),
                            static_cast<uint16_t>(target), 0};
    for (auto edge = std::lower_bound(context.edges.begin(),
                                      context.edges.end(), first);
         edge != context.edges.end() && edge->source == source &&
         edge->target == target;
         ++edge) {
      relations.push_back(SignedRelation(edge->relation, direction));
    }
  };
  collect(from, to, Direction::kOut);
  collect(to, from, Direction::kIn);
  return relations;
}

void AddTokenRelations(const std::vector<int32_t>& to_source,
                       const std::vector<int32_t>& to_target,
                       ContextToken& token) {
  size_t count = 0;
  const auto add = [&](int32_t relation) {
    const auto end = token.relations.begin() + count;
    if (count == token.relations.size()) return;
    if (std::find(token.relations.begin(), end, relation) != end) return;
    token.relations[count++] = relation;
  };
  if (!to_source.empty()) add(to_source.front());
  if (!to_target.empty()) add(to_target.front());
  for (const int32_t relation : to_source) add(relation);
  for (const int32_t relation : to_target) add(relation);
}

ContextToken NodeToken(NodeId node, TokenRole role) {
  ContextToken token;
  token.kind = TokenKind::kNode;
  token.role = role;
  token.node = node;
  return token;
}

void Describe(const GraphView& view, size_t target, int max_hops,
              ContextSubgraph& context) {
  const TokenAdjacency adjacency(context);
  const auto to_source = adjacency.HopsTo(0);
  const auto to_target = adjacency.HopsTo(target);
  const RelationId relation = context.link.relation;
  const auto distance = [max_hops](int hops) {
    return hops < 0 ? 1.0f
                    : std::min(1.0f, static_cast<float>(hops) / max_hops);
  };
  const auto relations_toward = [&](size_t token, const auto& hops) {
    if (hops[token] <= 0) return std::vector<int32_t>();
    return RelationsBetween(context, token, adjacency.Parent(token, hops));
  };
  for (size_t i = 0; i < context.tokens.size(); ++i) {
    ContextToken& token = context.tokens[i];
    if (i == 1 && target == 0) {  // the same node again
      token.features = context.tokens[0].features;
      token.relations = context.tokens[0].relations;
      continue;
    }
    const size_t slot_links =
        view.SlotDegree(token.node, relation, Direction::kOut) +
        view.SlotDegree(token.node, relation, Direction::kIn);
    token.features = {ScaledLog(view.NeighborCount(token.node)),
                      distance(to_source[i]), distance(to_target[i]),
                      to_source[i] < 0 || to_target[i] < 0 ? 1.0f : 0.0f,
                      ScaledLog(slot_links)};
    AddTokenRelations(relations_toward(i, to_source),
                      relations_toward(i, to_target), token);
  }
  const int hops = to_source[target];
  context.distance = hops <= max_hops ? hops : -1;
}

}  // namespace

ContextSubgraph AssembleLinkContext(const GraphView& view, const Link& link,
                                    std::span<const NodeId> between,
                                    int max_hops) {
  ContextSubgraph context;
  context.link = link;
  context.tokens.reserve(between.size() + 2);
  context.tokens.push_back(NodeToken(link.source, TokenRole::kSource));
  context.tokens.push_back(NodeToken(link.target, TokenRole::kTarget));
  for (const NodeId node : between) {
    context.tokens.push_back(NodeToken(node, TokenRole::kBetween));
  }
  const bool same = link.source == link.target;
  std::vector<uint16_t> distinct;
  for (size_t i = 0; i < context.tokens.size(); ++i) {
    if (i != 1 || !same) distinct.push_back(static_cast<uint16_t>(i));
  }
  AddEdges(view, distinct, context);
  Describe(view, same ? 0 : 1, max_hops, context);
  return context;
}

ContextSubgraph AssembleNodeContext(const GraphView& view,
                                    std::span<const NodeId> nodes) {
  ContextSubgraph context;
  context.link = {nodes.front(), 0, nodes.front()};
  context.distance = 0;
  std::vector<uint16_t> positions;
  for (const NodeId node : nodes) {
    positions.push_back(static_cast<uint16_t>(context.tokens.size()));
    context.tokens.push_back(NodeToken(node, TokenRole::kBetween));
  }
  AddEdges(view, positions, context);
  const TokenAdjacency adjacency(context);
  const auto hops = adjacency.HopsTo(0);
  for (size_t i = 0; i < context.tokens.size(); ++i) {
    ContextToken& token = context.tokens[i];
    token.features[0] = ScaledLog(view.NeighborCount(token.node));
    if (hops[i] <= 0) continue;
    AddTokenRelations(RelationsBetween(context, i, adjacency.Parent(i, hops)),
                      {}, token);
  }
  return context;
}

}  // namespace slice
