// Counts that describe a graph.
#ifndef SLICE_GRAPHSTORE_GRAPH_SUMMARY_H_
#define SLICE_GRAPHSTORE_GRAPH_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

struct RelationSummary {
  uint64_t links = 0;
  uint64_t sources = 0;  // distinct
  uint64_t targets = 0;  // distinct
};

// How many nodes have `low` to `high` links, incoming and outgoing together.
struct DegreeBucket {
  uint64_t low = 0;
  uint64_t high = 0;
  uint64_t nodes = 0;
};

struct Hub {
  NodeId node = 0;
  uint64_t links = 0;  // in and out; a self loop counts twice
};

struct GraphSummary {
  std::vector<uint64_t> type_nodes;        // [node types]
  std::vector<RelationSummary> relations;  // [relations]
  // 0, 1, 2-3, 4-7, ... up to the bucket of the largest degree.
  std::vector<DegreeBucket> degrees;
  std::vector<Hub> hubs;  // most links first, then by id
  uint64_t self_loops = 0;
  uint64_t unlinked_nodes = 0;
};

// Counts over the whole graph. Lists at most `hub_count` hubs.
GraphSummary SummarizeGraph(const GraphSnapshot& graph, size_t hub_count = 10);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_SUMMARY_H_
