// Damage of the log in which RocksDB keeps what is in no table yet.
#ifndef SLICE_GRAPHSTORE_WRITE_AHEAD_LOG_H_
#define SLICE_GRAPHSTORE_WRITE_AHEAD_LOG_H_

#include <filesystem>

#include "absl/status/status.h"

namespace slice {

// To be called before RocksDB opens the database in `directory`: RocksDB takes
// the records of its log up to the first one that it cannot read, and removes
// the rest without a word. DATA_LOSS when that would drop a record that was
// flushed to disk. A last record that was not written to its end is no damage:
// its change was never acknowledged.
absl::Status CheckWriteAheadLog(const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_WRITE_AHEAD_LOG_H_
