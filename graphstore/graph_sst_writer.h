// Sorted SST files of a graph, one per non-empty column family.
#ifndef SLICE_GRAPHSTORE_GRAPH_SST_WRITER_H_
#define SLICE_GRAPHSTORE_GRAPH_SST_WRITER_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_store.h"

namespace slice {

// Writes the files of a whole graph into an existing directory, synced.
// RESOURCE_EXHAUSTED when the disk is full.
absl::Status WriteGraphSsts(const GraphSnapshot& graph,
                            const GraphMetadata& metadata,
                            const std::filesystem::path& directory);

// Writes what a database holds, as WriteGraphSsts.
absl::Status CopyDatabaseToSsts(const GraphDatabase& database,
                                const std::filesystem::path& directory);

// The metadata in `meta.sst` of a directory; NOT_FOUND when the file is not
// there, DATA_LOSS when it is damaged or of another format.
absl::StatusOr<GraphMetadata> ReadSstMetadata(
    const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_SST_WRITER_H_
