// Makes the tokens of a context from its nodes, and the edges among them.
// TokenLinks finds the links among the nodes once; edges, hops and token
// relations are read from it.
//
// The features of a token, by their names in TokenFeatureNames():
//   log_degree      = log1p(visible distinct neighbours) / 8
//   source_distance = min(h / max_hops, 1), where h is the number of hops to
//                     the source over the edges of the context; 1 when no edges
//                     join the node to the source
//   target_distance = the same to the target
//   unreachable     = 1 when no edges join the node to the source, or none to
//                     the target; else 0
//   slot_degree     = log1p(visible links of the queried relation out of and
//                     into the node) / 8
// In the context of a single node, tokens have log_degree alone; their other
// features are 0.
//
// A token has at most three relations. They are distinct, and signed as
// travelled from the token. They belong to two steps: one towards the source
// and one towards the target, each to the smallest token that is one hop nearer
// to that end. One relation of each step comes first, then further relations of
// these steps (there are several where parallel links join two nodes).
#include "context/context_assembly.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "context/token_links.h"

namespace slice {
namespace {

using TokenHops = std::array<int8_t, TokenLinks::kMaxTokens>;

// log1p(count) / 8, from a table for all but hubs. The table is a std::vector,
// because the compiler would compute an array at compile time, where log1p
// rounds differently.
float ScaledLog(size_t count) {
  constexpr float kScale = 1.0f / 8;
  constexpr size_t kTableSize = 1024;
  static const std::vector<float> kTable = [] {
    std::vector<float> table(kTableSize);
    for (size_t i = 0; i < kTableSize; ++i) {
      table[i] = std::log1p(static_cast<float>(i)) * kScale;
    }
    return table;
  }();
  if (count < kTableSize) return kTable[count];
  return std::log1p(static_cast<float>(count)) * kScale;
}

// Collects the relations of a token from its steps towards the ends.
class TokenRelations {
 public:
  // Adds the step from `token` towards an end. `hops` has the hops of all
  // tokens to this end.
  void AddStep(const TokenLinks& links, size_t token, const TokenHops& hops) {
    Step& step = steps_[step_count_++];
    if (hops[token] <= 0) return;
    step.count =
        links.CopyRelations(token, links.Parent(token, hops), step.relations);
  }

  // Writes the distinct relations: the first one of each step, then all further
  // ones.
  void CopyTo(ContextToken& token) const {
    size_t count = 0;
    const auto add = [&](int32_t relation) {
      const auto end = token.relations.begin() + count;
      if (count == token.relations.size()) return;
      if (std::find(token.relations.begin(), end, relation) != end) return;
      token.relations[count++] = relation;
    };
    for (const Step& step : steps_) {
      if (step.count > 0) add(step.relations[0]);
    }
    for (const Step& step : steps_) {
      for (size_t i = 1; i < step.count; ++i) add(step.relations[i]);
    }
  }

 private:
  // The first distinct relations of a step; a token holds no more than three.
  struct Step {
    std::array<int32_t, 3> relations;
    size_t count = 0;
  };
  Step steps_[2];
  size_t step_count_ = 0;
};

// Makes `token` a token of `node` without features and relations. Its memory is
// reused.
void SetNode(NodeId node, TokenRole role, ContextToken& token) {
  token.kind = TokenKind::kNode;
  token.role = role;
  token.node = node;
  token.path.clear();
  token.relations = {0, 0, 0};
  token.features = {};
  token.path_count = 0;
}

// Fills the features and relations of all tokens, and the distance. `target` is
// the token of the target: 0 when both ends are one node.
void Describe(const GraphView& view, const TokenLinks& links, size_t target,
              int max_hops, ContextSubgraph& context) {
  const TokenHops to_source = links.HopsTo(0);
  const TokenHops to_target = links.HopsTo(target);
  const RelationId relation = context.link.relation;
  const auto distance = [max_hops](int hops) {
    return hops < 0 ? 1.0f
                    : std::min(1.0f, static_cast<float>(hops) / max_hops);
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
    token.features[kLogDegree] = ScaledLog(view.NeighborCount(token.node));
    token.features[kSourceDistance] = distance(to_source[i]);
    token.features[kTargetDistance] = distance(to_target[i]);
    token.features[kUnreachable] =
        to_source[i] < 0 || to_target[i] < 0 ? 1.0f : 0.0f;
    token.features[kSlotDegree] = ScaledLog(slot_links);
    TokenRelations relations;
    relations.AddStep(links, i, to_source);
    relations.AddStep(links, i, to_target);
    relations.CopyTo(token);
  }
  const int hops = to_source[target];
  context.distance = hops <= max_hops ? hops : -1;
}

// The scratch memory of this thread. It is on the heap because thread_local
// objects take space from the stack of every thread, even of those that
// libraries start with a small stack.
TokenLinks& ThreadTokenLinks() {
  thread_local std::vector<TokenLinks> links(1);
  return links.front();
}

}  // namespace

void AssembleLinkContext(const GraphView& view, const Link& link,
                         std::span<const NodeId> between, int max_hops,
                         ContextSubgraph& context) {
  view.snapshot().Prefetch(between);
  const bool same = link.source == link.target;
  const size_t count = between.size() + 2;
  std::array<NodeId, TokenLinks::kMaxTokens> nodes;
  nodes[0] = link.source;
  nodes[1] = same ? kNoNode : link.target;
  std::copy(between.begin(), between.end(), nodes.begin() + 2);
  context.link = link;
  context.tokens.resize(count);
  SetNode(link.source, TokenRole::kSource, context.tokens[0]);
  SetNode(link.target, TokenRole::kTarget, context.tokens[1]);
  for (size_t i = 2; i < count; ++i) {
    SetNode(nodes[i], TokenRole::kBetween, context.tokens[i]);
  }
  TokenLinks& links = ThreadTokenLinks();
  links.Find(view, std::span(nodes).first(count));
  links.CopyEdges(context.edges);
  Describe(view, links, same ? 0 : 1, max_hops, context);
}

ContextSubgraph AssembleNodeContext(const GraphView& view,
                                    std::span<const NodeId> nodes) {
  ContextSubgraph context;
  context.link = {nodes.front(), 0, nodes.front()};
  context.distance = 0;
  context.tokens.resize(nodes.size());
  TokenLinks& links = ThreadTokenLinks();
  links.Find(view, nodes);
  links.CopyEdges(context.edges);
  const TokenHops hops = links.HopsTo(0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    ContextToken& token = context.tokens[i];
    SetNode(nodes[i], TokenRole::kBetween, token);
    token.features[kLogDegree] = ScaledLog(view.NeighborCount(token.node));
    TokenRelations relations;
    relations.AddStep(links, i, hops);
    relations.CopyTo(token);
  }
  return context;
}

}  // namespace slice
