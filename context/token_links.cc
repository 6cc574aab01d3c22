// Finds the links among the nodes of a context.
//
//   1. Index the nodes by a small hash table.
//   2. Find the pairs of linked nodes. A node with few neighbours is scanned:
//      each neighbour is looked up in the table. Of two nodes with many
//      neighbours, one is searched in the row of the other. Either way the
//      relations of the pair are prefetched.
//   3. Read the relations of all pairs and keep those of visible links. A pair
//      is kept once, from its smaller token to its larger one.
//
// Links from a node to itself are found separately. There are at most 64
// tokens, so a set of tokens is one 64-bit word.
#include "context/token_links.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace slice {
namespace {

// How many neighbours are scanned in the time of one search in a long row.
constexpr size_t kScannedPerSearch = 6;

constexpr uint64_t BitOf(size_t token) { return uint64_t{1} << token; }

}  // namespace

void TokenLinks::Find(const GraphView& view, std::span<const NodeId> nodes) {
  std::copy(nodes.begin(), nodes.end(), nodes_.begin());
  count_ = nodes.size();
  linked_.fill(0);
  relations_.clear();
  pairs_.clear();
  IndexNodes(nodes);
  const NeighborRows& rows = view.snapshot().neighbor_rows();
  const size_t most_scanned = kScannedPerSearch * nodes.size();
  uint64_t scanned = 0;
  size_t others[kMaxTokens];
  size_t other_count = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] == kNoNode) continue;
    if (rows.HasSelfLoop(nodes[i])) FindLoops(view, i);
    if (rows.Neighbors(nodes[i]).size() <= most_scanned) {
      FindByScan(rows, i, scanned);
      scanned |= BitOf(i);
    } else {
      others[other_count++] = i;
    }
  }
  for (size_t i = 0; i < other_count; ++i) {
    for (size_t j = 0; j < i; ++j) FindBySearch(rows, others[i], others[j]);
  }
  AddLinks(view);
}

void TokenLinks::IndexNodes(std::span<const NodeId> nodes) {
  first_.fill(0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] == kNoNode) continue;
    uint8_t& first = first_[nodes[i] % kTableSize];
    next_[i] = first;
    first = static_cast<uint8_t>(i + 1);
  }
}

// Scans the neighbours of a token's node. `skipped` is the set of the tokens
// that were scanned before; their pairs are known.
void TokenLinks::FindByScan(const NeighborRows& rows, size_t token,
                            uint64_t skipped) {
  const std::span<const NodeId> neighbors = rows.Neighbors(nodes_[token]);
  for (size_t position = 0; position < neighbors.size(); ++position) {
    const NodeId neighbor = neighbors[position];
    for (size_t at = first_[neighbor % kTableSize]; at != 0;
         at = next_[at - 1]) {
      if (nodes_[at - 1] != neighbor) continue;
      if ((skipped & BitOf(at - 1)) == 0) {
        AddPair(rows, token, at - 1, position);
      }
      break;
    }
  }
}

void TokenLinks::FindBySearch(const NeighborRows& rows, size_t a, size_t b) {
  if (rows.Neighbors(nodes_[b]).size() < rows.Neighbors(nodes_[a]).size()) {
    std::swap(a, b);
  }
  const auto position = FindSorted(rows.Neighbors(nodes_[a]), nodes_[b]);
  if (position) AddPair(rows, a, b, *position);
}

void TokenLinks::AddPair(const NeighborRows& rows, size_t a, size_t b,
                         size_t position) {
  rows.PrefetchRelations(nodes_[a], position);
  pairs_.push_back({static_cast<uint8_t>(a), static_cast<uint8_t>(b),
                    static_cast<uint32_t>(position)});
}

void TokenLinks::AddLinks(const GraphView& view) {
  const NeighborRows& rows = view.snapshot().neighbor_rows();
  for (const Pair& pair : pairs_) {
    Add(view, pair.a, pair.b, rows.Relations(nodes_[pair.a], pair.position));
  }
}

void TokenLinks::FindLoops(const GraphView& view, size_t token) {
  const auto begin = static_cast<uint32_t>(relations_.size());
  const NodeId node = nodes_[token];
  view.snapshot().ForEachSlot(
      node, Direction::kOut,
      [&](RelationId relation, std::span<const NodeId> targets) {
        if (!FindSorted(targets, node)) return;
        if (!view.IsVisible(node, {node, relation, Direction::kOut})) return;
        relations_.push_back(SignedRelation(relation, Direction::kOut));
      });
  const auto end = static_cast<uint32_t>(relations_.size());
  if (begin == end) return;
  ranges_[token][token] = {begin, end};
  linked_[token] |= BitOf(token);
}

void TokenLinks::Add(const GraphView& view, size_t a, size_t b,
                     std::span<const int32_t> relations) {
  const auto begin = static_cast<uint32_t>(relations_.size());
  // From b to a each relation has the other direction, so the incoming ones of
  // `relations` become the outgoing ones, which come first.
  const bool turned = a > b;
  for (const bool positive : {!turned, turned}) {
    for (const int32_t relation : relations) {
      if ((relation > 0) != positive) continue;
      const Arc arc{nodes_[b], RelationOfSigned(relation),
                    DirectionOfSigned(relation)};
      if (!view.IsVisible(nodes_[a], arc)) continue;
      relations_.push_back(turned ? -relation : relation);
    }
  }
  const auto end = static_cast<uint32_t>(relations_.size());
  if (begin == end) return;
  (turned ? ranges_[b][a] : ranges_[a][b]) = {begin, end};
  linked_[a] |= BitOf(b);
  linked_[b] |= BitOf(a);
}

std::array<int8_t, TokenLinks::kMaxTokens> TokenLinks::HopsTo(
    size_t end) const {
  std::array<int8_t, kMaxTokens> hops;
  hops.fill(-1);
  uint64_t reached = 0;
  uint64_t frontier = BitOf(end);
  for (int8_t level = 0; frontier != 0; ++level) {
    reached |= frontier;
    uint64_t next = 0;
    for (uint64_t rest = frontier; rest != 0; rest &= rest - 1) {
      const int token = std::countr_zero(rest);
      hops[token] = level;
      next |= linked_[token];
    }
    frontier = next & ~reached;
  }
  return hops;
}

size_t TokenLinks::Parent(size_t token,
                          const std::array<int8_t, kMaxTokens>& hops) const {
  uint64_t rest = linked_[token];
  while (hops[std::countr_zero(rest)] != hops[token] - 1) rest &= rest - 1;
  return static_cast<size_t>(std::countr_zero(rest));
}

size_t TokenLinks::CopyRelations(size_t from, size_t to,
                                 std::span<int32_t> relations) const {
  if ((linked_[from] & BitOf(to)) == 0) return 0;
  const auto [begin, end] = RangeOf(from, to);
  const bool turned = from > to;
  size_t count = 0;
  for (const bool positive : {!turned, turned}) {
    for (uint32_t at = begin; at < end && count < relations.size(); ++at) {
      if ((relations_[at] > 0) != positive) continue;
      relations[count++] = turned ? -relations_[at] : relations_[at];
    }
  }
  return count;
}

void TokenLinks::CopyEdges(std::vector<ContextEdge>& edges) const {
  edges.clear();
  edges.reserve(relations_.size());
  for (size_t source = 0; source < count_; ++source) {
    for (uint64_t rest = linked_[source]; rest != 0; rest &= rest - 1) {
      const auto target = static_cast<size_t>(std::countr_zero(rest));
      const auto [begin, end] = RangeOf(source, target);
      for (uint32_t at = begin; at < end; ++at) {
        if ((relations_[at] > 0) != (source <= target)) continue;
        edges.push_back({static_cast<uint16_t>(source),
                         static_cast<uint16_t>(target),
                         RelationOfSigned(relations_[at])});
      }
    }
  }
}

}  // namespace slice
