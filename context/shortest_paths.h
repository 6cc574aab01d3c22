// The shortest paths between two nodes of a view, the most specific first.
//
//   ShortestPathSearch search;
//   const int hops = search.Find(view, limits, source, target);
//   std::vector<NodeId> inner;
//   while (search.Next(inner)) { ... }
#ifndef SLICE_CONTEXT_SHORTEST_PATHS_H_
#define SLICE_CONTEXT_SHORTEST_PATHS_H_

#include <cstdint>
#include <vector>

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
// aside. Thread-compatible; keeps its scratch memory (8 bytes per node of the
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
  // A node seen from one side.
  struct Visited {
    NodeId node = 0;
    int32_t level = 0;        // hops from the side's end
    int32_t first_step = -1;  // into steps_: its parents on shortest paths
    bool on_path = false;     // lies on a shortest path
    int64_t cost = 0;         // of the node itself
    int64_t best = 0;         // cheapest way to the end, the node included
  };
  struct Side {
    std::vector<Visited> visited;  // by level
    std::vector<size_t> level_start;
    uint64_t volume = 0;  // arcs at the last level
    int level() const { return static_cast<int>(level_start.size()) - 1; }
    size_t frontier_size() const { return visited.size() - level_start.back(); }
  };
  struct Mark {
    uint32_t stamp = 0;     // epoch_ + side when seen in this search
    uint32_t position = 0;  // in Side::visited
  };
  struct Step {
    uint32_t parent;  // position of a node one level nearer to the end
    int32_t next;     // the next step of the same node; -1 ends the list
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

  void Start(NodeId source, NodeId target);
  void FindMeetings(int side);
  void AddMeeting(int side, uint32_t position, uint32_t other_position);
  void Advance(int side);
  void TraceBack(int side);
  void CollectSteps(int side, int level);
  void QueueMeetings();
  void Extend(int32_t path, int side);
  void Push(const PartialPath& path);
  int32_t Pop();
  bool Later(int32_t a, int32_t b) const;
  void ListInnerNodes(int32_t path, std::vector<NodeId>& inner);

  const GraphView* view_ = nullptr;
  PathSearchLimits limits_;
  bool truncated_ = false;
  bool exhausted_ = false;
  int64_t arcs_left_ = 0;
  int length_ = -1;
  Side sides_[2];
  std::vector<Mark> marks_;  // [nodes]
  uint32_t epoch_ = 0;       // even
  std::vector<Meeting> meetings_;
  std::vector<Step> steps_;
  std::vector<PartialPath> partial_;
  std::vector<int32_t> queue_;  // heap over partial_
  int paths_found_ = 0;
  std::vector<NodeId> backwards_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SHORTEST_PATHS_H_
