// Converts RocksDB's errors to absl::Status. No other file does.
#ifndef SLICE_GRAPHSTORE_ROCKSDB_STATUS_H_
#define SLICE_GRAPHSTORE_ROCKSDB_STATUS_H_

#include <string_view>

#include "absl/status/status.h"

namespace rocksdb {
class Status;
}  // namespace rocksdb

namespace slice {

// An error with the message "<action>: <RocksDB's reason>":
//   FAILED_PRECONDITION when another process holds the directory, or when it is
//   open read-only; RESOURCE_EXHAUSTED when the disk is full or memory has run
//   out; DATA_LOSS for corruption, and for a missing file of the database;
//   NOT_FOUND and INVALID_ARGUMENT where RocksDB says so; INTERNAL otherwise.
// OK when `status` is OK.
absl::Status FromRocksDb(const rocksdb::Status& status,
                         std::string_view action);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_STATUS_H_
