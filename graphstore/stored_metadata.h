// What a database says of the graph in it.
#ifndef SLICE_GRAPHSTORE_STORED_METADATA_H_
#define SLICE_GRAPHSTORE_STORED_METADATA_H_

#include <optional>

#include "absl/status/statusor.h"
#include "graphstore/graph_database.h"
#include "graphstore/graph_store.h"

namespace slice {

// Nothing when the database holds no graph. DATA_LOSS for metadata that is
// malformed, UNIMPLEMENTED for a graph of an unknown format.
absl::StatusOr<std::optional<GraphMetadata>> ReadMetadata(
    const GraphDatabase& database);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_STORED_METADATA_H_
