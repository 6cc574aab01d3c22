// What RocksDB says about its work, as lines of slice's log.
#ifndef SLICE_GRAPHSTORE_ROCKSDB_LOG_H_
#define SLICE_GRAPHSTORE_ROCKSDB_LOG_H_

#include <filesystem>
#include <memory>

namespace rocksdb {
class Logger;
}  // namespace rocksdb

namespace slice {

// For the options of the database in `directory`, which each line names. With
// it RocksDB keeps no file LOG of its own: it aborts when it goes on writing to
// that file after the disk was full. Errors become warnings, because
// FromRocksDb already reports what fails. Warnings become lines for debugging,
// because RocksDB also warns of what is in order. The rest is left out.
// Thread-safe.
std::shared_ptr<rocksdb::Logger> NewRocksDbLog(
    const std::filesystem::path& directory);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_LOG_H_
