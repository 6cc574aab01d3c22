// The links among the nodes of a context.
#ifndef SLICE_CONTEXT_TOKEN_LINKS_H_
#define SLICE_CONTEXT_TOKEN_LINKS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// Thread-compatible; keeps its memory from one context to the next.
class TokenLinks {
 public:
  static constexpr size_t kMaxTokens = 64;

  // Finds the visible links among `nodes`: distinct, at most kMaxTokens; an
  // entry of kNoNode takes part in none.
  void Find(const GraphView& view, std::span<const NodeId> nodes);

  // Hops from each token to `end`, -1 where there is no way.
  std::array<int8_t, kMaxTokens> HopsTo(size_t end) const;

  // The smallest token linked to `token` that is one hop nearer to the end of
  // `hops`. REQUIRES: hops[token] > 0.
  size_t Parent(size_t token, const std::array<int8_t, kMaxTokens>& hops) const;

  // The signed relations from one token to another, as many as `relations`
  // takes: all outgoing ones, then all incoming ones, by relation. Returns how
  // many were written. REQUIRES: from != to.
  size_t CopyRelations(size_t from, size_t to,
                       std::span<int32_t> relations) const;

  // Replaces `edges` by all links, sorted.
  void CopyEdges(std::vector<ContextEdge>& edges) const;

 private:
  // A range of relations_: those from the smaller token to the larger one.
  struct Range {
    uint32_t begin, end;
  };

  // Two tokens of linked nodes, and where in the row of the first node the
  // other is. All are found before their relations are read: these come from
  // far.
  struct Pair {
    uint8_t a, b;
    uint32_t position;
  };

  void IndexNodes(std::span<const NodeId> nodes);
  void FindByScan(const NeighborRows& rows, size_t token, uint64_t skipped);
  void FindBySearch(const NeighborRows& rows, size_t a, size_t b);
  void AddPair(const NeighborRows& rows, size_t a, size_t b, size_t position);
  void FindLoops(const GraphView& view, size_t token);
  // Adds the visible links of all pairs.
  void AddLinks(const GraphView& view);
  // Notes the visible ones of the relations from the node of token `a` to that
  // of token `b`.
  void Add(const GraphView& view, size_t a, size_t b,
           std::span<const int32_t> relations);
  const Range& RangeOf(size_t a, size_t b) const {
    return a < b ? ranges_[a][b] : ranges_[b][a];
  }

  std::array<NodeId, kMaxTokens> nodes_;
  size_t count_ = 0;
  std::array<uint64_t, kMaxTokens> linked_;  // to which tokens, a bit for each
  Range ranges_[kMaxTokens][kMaxTokens];     // where a bit says so, a <= b
  std::vector<int32_t> relations_;
  std::vector<Pair> pairs_;
  // A chained hash table from nodes to tokens; positions are one more.
  static constexpr size_t kTableSize = 256;
  std::array<uint8_t, kTableSize> first_;
  std::array<uint8_t, kMaxTokens> next_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_TOKEN_LINKS_H_
