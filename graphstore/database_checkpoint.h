// Copies of a database that is in use, and their way back.
#ifndef SLICE_GRAPHSTORE_DATABASE_CHECKPOINT_H_
#define SLICE_GRAPHSTORE_DATABASE_CHECKPOINT_H_

#include <filesystem>

#include "absl/status/status.h"
#include "graphstore/graph_database.h"

namespace slice {

// Copies the database into `directory` and flushes the copy to disk.
// ALREADY_EXISTS when there is something of this name.
absl::Status CheckpointDatabase(const GraphDatabase& database,
                                const std::filesystem::path& directory);

// Copies the checkpoint `from` into `to`, which appears whole or not at all.
// ALREADY_EXISTS when there is something, unless `replace`.
absl::Status RestoreDatabase(const std::filesystem::path& from,
                             const std::filesystem::path& to, bool replace);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_DATABASE_CHECKPOINT_H_
