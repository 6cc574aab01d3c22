#include "context/context_subgraph.h"

#include <cstdlib>
#include <tuple>

namespace slice {
namespace {

// Hops from every token to `end`; -1 for a token that no edges join to `end`.
std::vector<int> HopsTo(uint16_t end, const ContextSubgraph& context) {
  std::vector<int> hops(context.tokens.size(), -1);
  std::vector<uint16_t> reached = {end};
  hops[end] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    const uint16_t at = reached[i];
    for (const ContextEdge& edge : context.edges) {
      if (edge.source != at && edge.target != at) continue;
      const uint16_t other = edge.source == at ? edge.target : edge.source;
      if (hops[other] >= 0) continue;
      hops[other] = hops[at] + 1;
      reached.push_back(other);
    }
  }
  return hops;
}

// The step from `at` to a token that is one hop nearer to the end that `hops`
// lead to. Of several such tokens the one with the smallest position is taken.
// Of several links between the two tokens, forward ones come before backward
// ones, then the smallest relation is taken.
MetapathStep NextStep(const ContextSubgraph& context,
                      const std::vector<int>& hops, uint16_t at) {
  MetapathStep best;
  bool found = false;
  for (const ContextEdge& edge : context.edges) {
    const bool forward = edge.source == at;
    if (!forward && edge.target != at) continue;
    const uint16_t other = forward ? edge.target : edge.source;
    if (hops[other] != hops[at] - 1) continue;
    const MetapathStep step{
        other, SignedRelation(edge.relation,
                              forward ? Direction::kOut : Direction::kIn)};
    const auto rank = [](const MetapathStep& s) {
      return std::make_tuple(s.token, s.signed_relation < 0,
                             std::abs(s.signed_relation));
    };
    if (!found || rank(step) < rank(best)) best = step;
    found = true;
  }
  return best;
}

}  // namespace

std::vector<MetapathStep> ShortestMetapath(const ContextSubgraph& context) {
  if (context.tokens.size() < 2) return {};
  std::vector<MetapathStep> path = {{0, 0}};
  // The path of a link from a node to itself is its first step alone.
  if (context.tokens[0].node == context.tokens[1].node) return path;
  const std::vector<int> hops = HopsTo(1, context);
  if (hops[0] < 0) return {};
  while (path.back().token != 1) {
    path.push_back(NextStep(context, hops, path.back().token));
  }
  return path;
}

}  // namespace slice
