// One RocksDB with the column families of a graph. This header only declares
// RocksDB's types; a file that uses them includes RocksDB's headers.
#ifndef SLICE_GRAPHSTORE_GRAPH_DATABASE_H_
#define SLICE_GRAPHSTORE_GRAPH_DATABASE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store_options.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class WriteBatch;
struct Options;
}  // namespace rocksdb

namespace slice {

enum class GraphFamily { kMeta, kNode, kName, kAdjacency, kEdge, kDelta };

inline constexpr std::array<GraphFamily, 6> kGraphFamilies = {
    GraphFamily::kMeta,      GraphFamily::kNode, GraphFamily::kName,
    GraphFamily::kAdjacency, GraphFamily::kEdge, GraphFamily::kDelta};

// The name of the column family, such as "adj".
std::string GraphFamilyName(GraphFamily family);
// The family's SST file in a directory, such as "<directory>/adj.sst".
std::filesystem::path SstPath(const std::filesystem::path& directory,
                              GraphFamily family);

// How the tables of a family are laid out, in the database and in SST files.
rocksdb::Options GraphFamilyOptions(GraphFamily family);

// Thread-safe.
class GraphDatabase {
 public:
  // FAILED_PRECONDITION when another process has the directory open for
  // writing, NOT_FOUND when there is no graph and none may be created,
  // DATA_LOSS when the directory holds something other than a graph, or when
  // changes that were acknowledged are damaged (CheckWriteAheadLog).
  static absl::StatusOr<std::unique_ptr<GraphDatabase>> Open(
      const RocksDbGraphStoreOptions& options);
  ~GraphDatabase();

  rocksdb::DB* db() const { return db_.get(); }
  rocksdb::ColumnFamilyHandle* handle(GraphFamily family) const {
    return handles_[static_cast<size_t>(family)];
  }
  const std::filesystem::path& directory() const { return directory_; }

  // The value of a key, or nothing when there is none.
  absl::StatusOr<std::optional<std::string>> Get(GraphFamily family,
                                                 std::string_view key) const;

  // Calls visit(key, value) for the records of a family in key order until it
  // returns false. All records are those of one moment. DATA_LOSS when a block
  // is damaged.
  using Visit =
      std::function<bool(std::string_view key, std::string_view value)>;
  absl::Status Scan(GraphFamily family, const Visit& visit) const;

  // Adds the records of the files `<family>.sst` in a directory to the
  // families, which must be empty. Adds all records or none. The files are
  // moved if `move` is true, and copied otherwise. NOT_FOUND when there is no
  // such file.
  absl::Status Ingest(const std::filesystem::path& sst_directory, bool move);

  // Writes all of the batch or nothing, and returns when it is on disk.
  // DATA_LOSS when somebody has removed the directory meanwhile.
  absl::Status WriteDurably(rocksdb::WriteBatch& batch) const;

  // Puts the records of a family that are still in memory into a table, which
  // frees the memory. RocksDB's own log already has them on disk.
  void Flush(GraphFamily family) const;

 private:
  GraphDatabase() = default;
  // A number that RocksDB tells about the changes in memory.
  uint64_t InMemory(const std::string& property) const;
  absl::Status MakeLogReplaceable() const;

  std::filesystem::path directory_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* default_handle_ = nullptr;
  std::array<rocksdb::ColumnFamilyHandle*, 6> handles_ = {};  // by GraphFamily
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_DATABASE_H_
