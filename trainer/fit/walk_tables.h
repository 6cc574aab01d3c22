// Makes the vectors that walk features read (context/walk_vectors.h).
#ifndef SLICE_TRAINER_FIT_WALK_TABLES_H_
#define SLICE_TRAINER_FIT_WALK_TABLES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/graph_view.h"

namespace slice {

struct WalkTableOptions {
  int dim = 64;
  int threads = 1;  // 1: reproducible to the bit
  uint64_t seed = 0;
  // Roughly how many pairs of nodes skip-gram learns from; at least one walk
  // starts at each node.
  double pairs = 6.4e7;
  std::string title = "walk vectors";  // of the progress line
};

// Trains skip-gram on uniform walks over the arcs that `view` shows, and adds
// "walks.inputs" and "walks.outputs" to `statistics`. The vectors of a node
// without visible links are zero.
absl::Status AddWalkTables(const GraphView& view,
                           const WalkTableOptions& options,
                           GraphStatistics& statistics);

// Removes them.
void RemoveWalkTables(GraphStatistics& statistics);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_WALK_TABLES_H_
