// A graph as plain values: importers make it and stores keep it.
#ifndef SLICE_GRAPHSTORE_GRAPH_DATA_H_
#define SLICE_GRAPHSTORE_GRAPH_DATA_H_

#include <functional>
#include <string>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// One node of the catalogue. `key` is unique and public; `name` is for display
// and may repeat.
struct NodeRecord {
  std::string key;
  std::string name;
  NodeTypeId type = 0;

  bool operator==(const NodeRecord&) const = default;
};

// Nodes, node types and relations; a position is an id. A graph without types
// has the one type "node".
struct GraphCatalogue {
  std::vector<NodeRecord> nodes;
  std::vector<std::string> node_types;
  std::vector<std::string> relations;

  bool operator==(const GraphCatalogue&) const = default;
};

struct GraphData {
  GraphCatalogue catalogue;
  std::vector<Link> links;
  // Parallel to `links`, finite and above 0. Empty when all weights are 1.
  std::vector<float> weights;
};

// Sorts the links and makes them distinct. A link that occurs several times
// keeps the largest of its weights. Weights that are all 1 are dropped. Returns
// how many links were removed. REQUIRES: `weights` is empty, or parallel to
// `links`.
uint64_t SortLinks(GraphData* data);

// Removes the links for which `unwanted` is true, and their weights.
void EraseLinks(GraphData* data,
                const std::function<bool(const Link&)>& unwanted);

// The lower-case hexadecimal SHA-256 over the catalogue and the sorted links
// with their weights. Equal graphs have equal digests. Sorts a copy of the
// links.
std::string GraphDigest(const GraphData& data);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_DATA_H_
