#include "graphstore/graph_store.h"

#include "common/status_macros.h"

namespace slice {

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> GraphStore::BuildSnapshot()
    const {
  SLICE_ASSIGN_OR_RETURN(const GraphMetadata metadata, Metadata());
  SLICE_ASSIGN_OR_RETURN(const GraphData data, ReadAll());
  return GraphSnapshot::Build(data, metadata.graph_version);
}

}  // namespace slice
