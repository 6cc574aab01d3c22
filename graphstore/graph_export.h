// Writes a graph as text files that import to the same graph.
#ifndef SLICE_GRAPHSTORE_GRAPH_EXPORT_H_
#define SLICE_GRAPHSTORE_GRAPH_EXPORT_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

struct GraphTextFiles {
  // Columns relation, source, target; also weight when the graph has weights.
  std::filesystem::path links;
  std::filesystem::path nodes;  // columns key, type, name
};

// Writes both files or none, compressed when their names end in .gz or .zst.
// Importing them gives the same ids, types, names, weights and digest, provided
// that every relation has a link and that types are numbered by first
// appearance, as in every imported graph. An importer with the columns and the
// format no-header has nothing to ask. Nodes are sorted by id, links by
// (relation, source, target). Texts that would be read as something else are in
// quotes (graphstore/tab_fields.h).
absl::Status ExportGraphText(GraphData data, const GraphTextFiles& files);

// Writes the file of nodes alone.
absl::Status ExportNodeText(const GraphCatalogue& catalogue,
                            const std::filesystem::path& path);

// The graph without its removed nodes; the others keep their order and get new
// ids.
GraphData WithoutRemovedNodes(const GraphSnapshot& graph);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_EXPORT_H_
