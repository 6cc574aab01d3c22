// How often each relation occurs, and between which types of nodes.
#ifndef SLICE_SERVER_MODELS_RELATION_SUMMARY_H_
#define SLICE_SERVER_MODELS_RELATION_SUMMARY_H_

#include <cstdint>
#include <vector>

#include "graphstore/graph_snapshot.h"

namespace slice {

struct RelationSummary {
  uint64_t links = 0;
  std::vector<NodeTypeId> source_types;  // the most frequent first
  std::vector<NodeTypeId> target_types;  // likewise
};

// One summary per relation id. O(links).
std::vector<RelationSummary> SummarizeRelations(const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_RELATION_SUMMARY_H_
