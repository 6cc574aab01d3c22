// What every update of a graph must be, whatever the graph holds.
#ifndef SLICE_SERVER_GRAPH_UPDATE_VALIDATION_H_
#define SLICE_SERVER_GRAPH_UPDATE_VALIDATION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "server/graph/named_changes.h"

namespace slice {

// INVALID_ARGUMENT as ValidateNamedChanges, and for an update without changes,
// with too many, with a node that is not named by key, or with a writer but no
// sequence.
absl::Status ValidateUpdate(const NamedChanges& changes,
                            const std::string& writer, uint64_t sequence);

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_UPDATE_VALIDATION_H_
