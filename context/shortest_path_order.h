// Lists the shortest paths that a search from both ends has found, the most
// specific first.
#ifndef SLICE_CONTEXT_SHORTEST_PATH_ORDER_H_
#define SLICE_CONTEXT_SHORTEST_PATH_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/search_side.h"
#include "graphstore/types.h"

namespace slice {

// All shortest paths between two ends, as a search from both ends leaves them.
// Each path consists of one meeting and steps from there to both ends.
struct ShortestPaths {
  // Two adjacent nodes, one of each side, by position in SearchSide::nodes.
  struct Meeting {
    uint32_t position[2];
  };
  // A step towards the end of a side. The steps of one node form a list.
  struct Step {
    uint32_t parent;  // position of a node one level nearer to the end
    int32_t next;     // the next step of the same node; -1 ends the list
  };

  SearchSide sides[2];  // of the source, of the target
  std::vector<Meeting> meetings;
  std::vector<Step> steps;
};

// Thread-compatible; keeps its memory from one search to the next. All calls
// between two calls of Clear() must get the same `paths`.
class ShortestPathOrder {
 public:
  // Forgets the paths of the previous search.
  void Clear();

  // Prepares the listing. REQUIRES: every node on a path has its PathTrace.
  void Rank(const ShortestPaths& paths);

  // Puts the inner nodes of the next path, from source to target, into `inner`.
  // Returns false when no path is left. Paths come by ascending cost
  // (SpecificityCost), at most 256 of them; the order of paths of equal cost is
  // deterministic.
  bool Next(const ShortestPaths& paths, std::vector<NodeId>& inner);

 private:
  // A path whose middle part is known, from position[0] on the source's side to
  // position[1] on the target's side. `cost` is that of its cheapest
  // completion.
  struct PartialPath {
    int64_t cost;
    uint32_t position[2];
    int32_t previous;  // the partial path that this one extends by a hop; -1
                       // for a meeting
  };
  // A partial path in the queue.
  struct Queued {
    int64_t cost;
    uint64_t nodes;  // the nodes at position[0] (high word) and position[1]
    int32_t path;    // index into the meetings, continued into partial_

    bool operator>(const Queued& other) const {
      if (cost != other.cost) return cost > other.cost;
      if (nodes != other.nodes) return nodes > other.nodes;
      return path > other.path;
    }
  };

  void QueueMeetings(const ShortestPaths& paths);
  PartialPath PathOf(const ShortestPaths& paths, int32_t path) const;
  Queued QueuedOf(const ShortestPaths& paths, int32_t path) const;
  void Extend(const ShortestPaths& paths, int32_t path, int side);
  int32_t Pop(const ShortestPaths& paths);
  void ListInnerNodes(const ShortestPaths& paths, int32_t path,
                      std::vector<NodeId>& inner);

  // (cost << 32 | index) of the meetings where a listed path may begin. The
  // first ranked_end_ of them have entered the queue; their cost is at most
  // queued_cost_.
  std::vector<uint64_t> ranked_;
  size_t ranked_end_ = 0;
  int64_t queued_cost_ = 0;
  std::vector<PartialPath> partial_;
  std::vector<Queued> queue_;  // a heap, the cheapest first
  int paths_listed_ = 0;
  std::vector<NodeId> backwards_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SHORTEST_PATH_ORDER_H_
