// RocksDB's errors as ours; the one place where they meet.
#ifndef SLICE_GRAPHSTORE_ROCKSDB_STATUS_H_
#define SLICE_GRAPHSTORE_ROCKSDB_STATUS_H_

#include <string_view>

#include "absl/status/status.h"

namespace rocksdb {
class Status;
}  // namespace rocksdb

namespace slice {

// "<action>: <RocksDB's reason>" as FAILED_PRECONDITION when another process
// holds the directory, RESOURCE_EXHAUSTED when the disk is full, DATA_LOSS for
// corruption, NOT_FOUND, INVALID_ARGUMENT, or INTERNAL for the rest.
absl::Status FromRocksDb(const rocksdb::Status& status,
                         std::string_view action);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_STATUS_H_
