// The shortest paths between two nodes of a view, the most specific first.
//
//   ShortestPathSearch search;
//   const int hops = search.Find(view, limits, source, target);
//   std::vector<NodeId> inner;
//   while (search.Next(inner)) { ... }
#ifndef SLICE_CONTEXT_SHORTEST_PATH_SEARCH_H_
#define SLICE_CONTEXT_SHORTEST_PATH_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/node_bits.h"
#include "context/path_search_limits.h"
#include "context/search_side.h"
#include "context/shortest_path_order.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Searches breadth-first from both ends over distinct neighbours, always on the
// side that has fewer arcs ahead. It ignores links between the two ends
// themselves. Thread-compatible; keeps its scratch memory (4.4 bytes per node
// of the graph) from one search to the next, so use one per thread.
class ShortestPathSearch {
 public:
  // Returns the number of hops of the shortest paths of at least two hops, or
  // -1 when none was seen within the limits. Forgets the paths of the previous
  // search. REQUIRES: source != target, both in the view.
  int Find(const GraphView& view, const PathSearchLimits& limits, NodeId source,
           NodeId target);

  // Puts the inner nodes of the next path, from source to target, into `inner`.
  // Returns false when no path is left. Paths come by ascending sum of
  // log(degree + 1) over their inner nodes, at most 256 of them. The order of
  // paths of equal sum is deterministic; paths of two hops come by id.
  bool Next(std::vector<NodeId>& inner) { return order_.Next(found_, inner); }

  // Whether a hub was sampled or the search stopped at max_expanded_arcs.
  bool truncated() const { return truncated_; }

 private:
  using Side = SearchSide;
  struct HubSample {
    NodeId node;
    size_t begin;  // in samples_
  };

  void Start(NodeId source, NodeId target);
  // The side that has fewer arcs ahead.
  int CheaperSide();
  void CountArcs(int side);
  void FindMeetings(int side);
  // Prefetches the rows of the nodes that follow `position`.
  void PrefetchAhead(const Side& side, size_t position) const;
  void ProbeHub(int side, uint32_t position);
  void AddMeeting(int side, uint32_t position, uint32_t other_position);
  // Drops the meetings found so far, because this one is on shorter paths. Does
  // nothing and returns false when this meeting is the direct link.
  bool Shorten(int side, uint32_t other_position);
  void Advance(int side);
  // The neighbours of a node, or max_degree of them as a sample where there are
  // more. A node has one sample per search. Valid until the next call.
  std::span<const NodeId> Sample(NodeId node);
  // gathered_, made large enough for what a row filter keeps of `row`.
  NodeId* RoomFor(std::span<const NodeId> row);
  void TraceBack(int side);
  void PutOnPath(Side& side, uint32_t position);
  void CollectSteps(int side, int level, size_t begin, size_t end);

  const GraphView* view_ = nullptr;
  PathSearchLimits limits_;
  bool truncated_ = false;
  bool exhausted_ = false;
  int64_t arcs_left_ = 0;
  int length_ = -1;
  int looking_side_ = 0;  // the side whose look ahead found the meetings
  // The positions on the other side that give meetings of the present length.
  size_t meeting_begin_ = 0, meeting_end_ = 0;
  ShortestPaths found_;
  std::vector<uint32_t> positions_;  // [nodes]: in the side that saw it
  NodeBits wanted_;
  std::vector<NodeId> samples_;  // of hubs, and of nodes with hidden arcs
  std::vector<HubSample> hub_samples_;
  std::vector<NodeId> gathered_;
  ShortestPathOrder order_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SHORTEST_PATH_SEARCH_H_
