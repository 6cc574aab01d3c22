// Sorted SST files of a graph, one per non-empty column family.
#ifndef SLICE_GRAPHSTORE_GRAPH_SST_WRITER_H_
#define SLICE_GRAPHSTORE_GRAPH_SST_WRITER_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_store.h"

namespace slice {

// Writes the files of a whole graph into an existing directory and syncs the
// directory. INVALID_ARGUMENT when a node has more links than the format can
// hold (2^28 in one direction), RESOURCE_EXHAUSTED when the disk is full.
absl::Status WriteGraphSsts(const GraphSnapshot& graph,
                            const GraphMetadata& metadata,
                            const std::filesystem::path& directory);

// Writes all records of a database into such files in an existing directory,
// and syncs the directory. Errors are those of RocksDB, converted by
// FromRocksDb.
absl::Status CopyDatabaseToSsts(const GraphDatabase& database,
                                const std::filesystem::path& directory);

// The metadata in `meta.sst` of a directory. NOT_FOUND when there is no such
// file, DATA_LOSS when it is damaged or of another format.
absl::StatusOr<GraphMetadata> ReadSstMetadata(
    const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_SST_WRITER_H_
