// The shortest paths between two nodes of a view, the most specific first.
//
//   ShortestPathSearch search;
//   const int hops = search.Find(view, limits, source, target);
//   std::vector<NodeId> inner;
//   while (search.Next(inner)) { ... }
#ifndef SLICE_CONTEXT_SHORTEST_PATHS_H_
#define SLICE_CONTEXT_SHORTEST_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/node_bits.h"
#include "context/search_side.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// The bounds of one search; see ContextOptions for their meaning.
struct PathSearchLimits {
  int max_hops = 6;
  int max_degree = 500;
  int max_expanded_arcs = 20000;
};

// Breadth-first from both ends over the distinct neighbours, always on the side
// with the fewer arcs ahead. Links between the two ends themselves are left
// aside. Thread-compatible; keeps its scratch memory (4.4 bytes per node of the
// graph) from one search to the next, so use one per thread.
class ShortestPathSearch {
 public:
  // The hops of the shortest paths of at least two hops, or -1 when none was
  // seen within the limits. Invalidates the paths of the search before.
  // REQUIRES: source != target, both in the view.
  int Find(const GraphView& view, const PathSearchLimits& limits, NodeId source,
           NodeId target);

  // Puts the inner nodes of the next path, from source to target, into `inner`.
  // Paths come by ascending sum of log(degree + 1) over their inner nodes, at
  // most 256 of them; equal ones by the ids of the nodes where both sides met.
  // False when there are no more.
  bool Next(std::vector<NodeId>& inner);

  // Whether a hub was sampled or the search stopped at max_expanded_arcs.
  bool truncated() const { return truncated_; }

 private:
  using Side = SearchSide;
  using Trace = PathTrace;
  struct Step {
    uint32_t parent;  // position of a node one level nearer to the end
    int32_t next;     // the next step of the same node; -1 ends the list
  };
  struct HubSample {
    NodeId node;
    size_t begin;  // in samples_
  };
  struct Meeting {
    uint32_t position[2];  // adjacent nodes, one of each side
  };
  // A path known from its middle outwards to position[0] and position[1], and
  // what it costs with the cheapest completion.
  struct PartialPath {
    int64_t cost;
    uint32_t position[2];
    int32_t previous;  // the shorter partial path it extends; -1 = a meeting
  };
  // A partial path in the queue.
  struct Queued {
    int64_t cost;
    uint64_t nodes;  // the outermost ones: of the source side, of the other
    int32_t path;    // of the meetings, then of partial_

    bool operator>(const Queued& other) const {
      if (cost != other.cost) return cost > other.cost;
      if (nodes != other.nodes) return nodes > other.nodes;
      return path > other.path;
    }
  };

  void Start(NodeId source, NodeId target);
  // The side with the fewer arcs ahead.
  int CheaperSide();
  void CountArcs(int side);
  void FindMeetings(int side);
  // Asks for the neighbours of a node to be looked at soon.
  void PrefetchAhead(const Side& side, size_t position) const;
  void ProbeHub(int side, uint32_t position);
  void AddMeeting(int side, uint32_t position, uint32_t other_position);
  // Begins anew with meetings of the length of this one, unless that is one.
  bool Shorten(int side, uint32_t other_position);
  void Advance(int side);
  // The neighbours of a node, or its sample where they are too many. Valid
  // until the next call.
  std::span<const NodeId> Sample(NodeId node);
  // gathered_, large enough for what a filter keeps of a row.
  NodeId* RoomFor(std::span<const NodeId> row);
  void TraceBack(int side);
  void PutOnPath(Side& side, uint32_t position);
  void CollectSteps(int side, int level, size_t begin, size_t end);
  void RankMeetings();
  void QueueMeetings();
  bool MeetsBefore(uint64_t a, uint64_t b) const;
  PartialPath PathOf(int32_t path) const;
  Queued QueuedOf(int32_t path) const;
  void Extend(int32_t path, int side);
  int32_t Pop();
  void ListInnerNodes(int32_t path, std::vector<NodeId>& inner);

  const GraphView* view_ = nullptr;
  PathSearchLimits limits_;
  bool truncated_ = false;
  bool exhausted_ = false;
  int64_t arcs_left_ = 0;
  int length_ = -1;
  int looking_side_ = 0;  // that found the meetings
  // Where on the other side those of the present length may be.
  size_t meeting_begin_ = 0, meeting_end_ = 0;
  Side sides_[2];
  std::vector<uint32_t> positions_;  // [nodes], where seen from a side
  NodeBits wanted_;
  std::vector<NodeId> samples_;  // of the hubs, and of nodes with hidden arcs
  std::vector<HubSample> hub_samples_;
  std::vector<NodeId> gathered_;
  std::vector<Meeting> meetings_;
  std::vector<Step> steps_;
  // (cost, position in meetings_) of the meetings that may begin a path; those
  // below ranked_end_ are in the queue, where they cost at most queued_cost_.
  std::vector<uint64_t> ranked_;
  size_t ranked_end_ = 0;
  int64_t queued_cost_ = 0;
  std::vector<PartialPath> partial_;
  std::vector<Queued> queue_;  // a heap
  int paths_found_ = 0;
  std::vector<NodeId> backwards_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SHORTEST_PATHS_H_
