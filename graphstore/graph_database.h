// One RocksDB with the column families of a graph. RocksDB's own types are only
// named here; files that use them include its headers.
#ifndef SLICE_GRAPHSTORE_GRAPH_DATABASE_H_
#define SLICE_GRAPHSTORE_GRAPH_DATABASE_H_

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
struct Options;
}  // namespace rocksdb

namespace slice {

enum class GraphFamily { kMeta, kNode, kName, kAdjacency, kEdge, kDelta };

inline constexpr std::array<GraphFamily, 6> kGraphFamilies = {
    GraphFamily::kMeta,      GraphFamily::kNode, GraphFamily::kName,
    GraphFamily::kAdjacency, GraphFamily::kEdge, GraphFamily::kDelta};

// The column family's name, such as "adj"; also that of its SST file.
std::string GraphFamilyName(GraphFamily family);
std::filesystem::path SstPath(const std::filesystem::path& directory,
                              GraphFamily family);

// How the tables of a family are laid out, in the database and in SST files.
rocksdb::Options GraphFamilyOptions(GraphFamily family);

// Thread-safe.
class GraphDatabase {
 public:
  // Errors as RocksDbGraphStore::Open.
  static absl::StatusOr<std::unique_ptr<GraphDatabase>> Open(
      const RocksDbGraphStoreOptions& options);
  ~GraphDatabase();

  rocksdb::DB* db() const { return db_.get(); }
  rocksdb::ColumnFamilyHandle* handle(GraphFamily family) const {
    return handles_[static_cast<size_t>(family)];
  }
  const std::filesystem::path& directory() const { return directory_; }

  // A record, or nothing when there is none.
  absl::StatusOr<std::optional<std::string>> Get(GraphFamily family,
                                                 std::string_view key) const;

  // Calls visit(key, value) for the records of a family in key order, all from
  // one moment, until it returns false. DATA_LOSS when a block is damaged.
  using Visit =
      std::function<bool(std::string_view key, std::string_view value)>;
  absl::Status Scan(GraphFamily family, const Visit& visit) const;

  // Adds the records of `<family>.sst` files to empty families: all of them or
  // none. Moves the files when `move`, else copies them.
  absl::Status Ingest(const std::filesystem::path& sst_directory, bool move);

 private:
  GraphDatabase() = default;

  std::filesystem::path directory_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* default_handle_ = nullptr;
  std::array<rocksdb::ColumnFamilyHandle*, 6> handles_ = {};
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_DATABASE_H_
