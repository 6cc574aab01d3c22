// Whether a graph that has grown still has the ids of an older one. Embeddings
// and statistics are looked up by id, so a model can answer on a later graph
// only then.
#ifndef SLICE_GRAPHSTORE_SAME_IDS_H_
#define SLICE_GRAPHSTORE_SAME_IDS_H_

#include <string>

#include "graphstore/graph_snapshot.h"

namespace slice {

// What has other ids in `later` than in `first`: "relations", "node types" or
// "nodes". Empty when nothing has. `later` may have more node types and nodes,
// but not more relations. O(nodes of `first`).
std::string OtherIds(const GraphSnapshot& first, const GraphSnapshot& later);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SAME_IDS_H_
