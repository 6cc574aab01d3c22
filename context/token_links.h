// Finds the links among the nodes of a context.
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

  // Finds the visible links among `nodes`: distinct, at most kMaxTokens. An
  // entry of kNoNode has no links. A token is a position in `nodes`.
  void Find(const GraphView& view, std::span<const NodeId> nodes);

  // Hops from each token to `end`; -1 for a token that no links join to `end`.
  std::array<int8_t, kMaxTokens> HopsTo(size_t end) const;

  // The smallest token that is linked to `token` and one hop nearer to the end;
  // `hops` is HopsTo() of that end. REQUIRES: hops[token] > 0.
  size_t Parent(size_t token, const std::array<int8_t, kMaxTokens>& hops) const;

  // Writes the signed relations from one token to another into `relations`
  // until it is full: outgoing ones first, then incoming ones, each by
  // relation. Returns their number. REQUIRES: from != to.
  size_t CopyRelations(size_t from, size_t to,
                       std::span<int32_t> relations) const;

  // Replaces `edges` by all links found, sorted.
  void CopyEdges(std::vector<ContextEdge>& edges) const;

 private:
  // A range of relations_: the relations of the links between two tokens, as
  // travelled from the smaller token to the larger one.
  struct Range {
    uint32_t begin, end;
  };

  // Two tokens with linked nodes; `position` is where the row of a's node has
  // b's node. All pairs are found before their relations are read, so that the
  // relations can be prefetched.
  struct Pair {
    uint8_t a, b;
    uint32_t position;
  };

  void IndexNodes(std::span<const NodeId> nodes);
  void FindByScan(const NeighborRows& rows, size_t token, uint64_t skipped);
  void FindBySearch(const NeighborRows& rows, size_t a, size_t b);
  void AddPair(const NeighborRows& rows, size_t a, size_t b, size_t position);
  void FindLoops(const GraphView& view, size_t token);
  // Adds the visible links of all pairs_.
  void AddLinks(const GraphView& view);
  // Adds the visible ones of `relations`, which lead from the node of token `a`
  // to that of token `b`.
  void Add(const GraphView& view, size_t a, size_t b,
           std::span<const int32_t> relations);
  const Range& RangeOf(size_t a, size_t b) const {
    return a < b ? ranges_[a][b] : ranges_[b][a];
  }

  std::array<NodeId, kMaxTokens> nodes_;
  size_t count_ = 0;
  // Bit b of linked_[a]: tokens a and b are linked.
  std::array<uint64_t, kMaxTokens> linked_;
  Range ranges_[kMaxTokens][kMaxTokens];  // [a][b], a <= b; valid where linked
  std::vector<int32_t> relations_;
  std::vector<Pair> pairs_;
  // A chained hash table from nodes to tokens. Entries are token + 1; 0 ends a
  // chain.
  static constexpr size_t kTableSize = 256;
  std::array<uint8_t, kTableSize> first_;
  std::array<uint8_t, kMaxTokens> next_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_TOKEN_LINKS_H_
