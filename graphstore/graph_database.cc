// Open makes sure that it changes no directory but that of a graph:
//
// 1. PrepareDirectory requires that the directory does not exist, is empty or
//    holds a database.
// 2. CheckFamilies requires that a database has exactly the column families of
//    a graph. One with more of them is a graph that a newer program wrote.
// 3. CheckWriteAheadLog requires that all that was acknowledged can be read.
// 4. Only then RocksDB opens the directory.
//
// GraphFamilyOptions gives the layout of the tables. It is the layout of the
// tables that the database writes and of the SST files that
// graphstore/graph_sst_writer.cc writes, because the database takes such files
// over as they are.
#include "graphstore/graph_database.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "graphstore/rocksdb_log.h"
#include "graphstore/rocksdb_status.h"
#include "graphstore/write_ahead_log.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/listener.h"
#include "rocksdb/table.h"

namespace slice {
namespace {

// Every RocksDB has this family; a graph keeps nothing in it.
const std::string& DefaultFamily() { return rocksdb::kDefaultColumnFamilyName; }

rocksdb::Slice AsSlice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

std::string_view AsView(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

absl::Status NotAGraph(const std::filesystem::path& directory,
                       const std::string& reason) {
  return absl::DataLossError(absl::StrCat(
      directory.string(), " is not a slice graph: ", reason,
      "; choose another directory, or delete this one if nothing in it is "
      "needed"));
}

// Makes sure that the directory exists and that RocksDB may create or open a
// database in it. Returns whether there is a database in it already.
absl::StatusOr<bool> PrepareDirectory(const RocksDbGraphStoreOptions& options) {
  const std::filesystem::path& directory = options.directory;
  std::error_code error;
  if (std::filesystem::exists(directory / "CURRENT", error)) return true;
  if (std::filesystem::exists(directory, error) &&
      !std::filesystem::is_directory(directory, error))
    return NotAGraph(directory, "it is a file");
  if (!options.create_if_missing || options.read_only) {
    return absl::NotFoundError(absl::StrCat(
        "there is no graph in ", directory.string(), "; import one first"));
  }
  SLICE_RETURN_IF_ERROR(CreateDirectories(directory));
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    // A RocksDB that was stopped while it was being created leaves such files.
    // Older programs also let it write a file LOG.
    if (name == "LOCK" || name == "IDENTITY" || name.ends_with(".dbtmp") ||
        name.starts_with("LOG") || name.starts_with("MANIFEST-") ||
        name == "lost+found")
      continue;
    return NotAGraph(directory, absl::StrCat("it holds \"", name, "\""));
  }
  if (error) return FileError("list", directory, error.value());
  return false;
}

absl::Status CheckFamilies(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  SLICE_RETURN_IF_ERROR(
      FromRocksDb(rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(),
                                                  directory.string(), &names),
                  absl::StrCat("read ", directory.string())));
  std::set<std::string> wanted = {DefaultFamily()};
  for (const GraphFamily family : kGraphFamilies)
    wanted.insert(GraphFamilyName(family));
  std::string unknown;
  for (const std::string& name : names)
    if (wanted.erase(name) == 0) unknown = name;
  if (!wanted.empty()) {
    return NotAGraph(directory, absl::StrCat("column family \"",
                                             *wanted.begin(), "\" is missing"));
  }
  if (unknown.empty()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      directory.string(),
      " holds a graph of a newer format: this program does "
      "not know the column family \"",
      unknown, "\"; run a newer program, or import the graph again elsewhere"));
}

// Of records that are not in a table yet; they take twice this at most. Graphs
// are loaded as tables, so this is for changes alone.
constexpr size_t kWriteBufferBytes = 8 << 20;

// RocksDB would try to go on at once, while the disk is still full. An attempt
// that fails leaves it broken until the next start. ChangeLog::Recover tries
// when there is room.
class NoOwnRecovery final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

rocksdb::DBOptions DatabaseOptions(const std::filesystem::path& directory) {
  rocksdb::DBOptions options;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.info_log = NewRocksDbLog(directory);
  options.listeners = {std::make_shared<NoOwnRecovery>()};
  options.avoid_flush_during_shutdown = true;  // its log has the records
  options.max_open_files = 256;
  return options;
}

}  // namespace

std::string GraphFamilyName(GraphFamily family) {
  static constexpr const char* kNames[] = {"meta", "node", "name2id",
                                           "adj",  "edge", "delta"};
  return kNames[static_cast<size_t>(family)];
}

std::filesystem::path SstPath(const std::filesystem::path& directory,
                              GraphFamily family) {
  return directory / absl::StrCat(GraphFamilyName(family), ".sst");
}

rocksdb::Options GraphFamilyOptions(GraphFamily family) {
  rocksdb::Options options;
  options.compression = rocksdb::kLZ4Compression;
  options.write_buffer_size = kWriteBufferBytes;
  rocksdb::BlockBasedTableOptions table;
  if (family == GraphFamily::kName) {
    // Most lookups are of names that do not exist: a filter answers them.
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    table.data_block_index_type =
        rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
    options.compression = rocksdb::kNoCompression;  // hashes do not shrink
  }
  if (family == GraphFamily::kAdjacency) {
    table.block_size = 16 << 10;
    options.compression = rocksdb::kNoCompression;  // varints are small already
  }
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

absl::StatusOr<std::unique_ptr<GraphDatabase>> GraphDatabase::Open(
    const RocksDbGraphStoreOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const bool exists, PrepareDirectory(options));
  if (exists) {
    SLICE_RETURN_IF_ERROR(CheckFamilies(options.directory));
    SLICE_RETURN_IF_ERROR(CheckWriteAheadLog(options.directory));
  }

  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const GraphFamily family : kGraphFamilies) {
    descriptors.emplace_back(
        GraphFamilyName(family),
        rocksdb::ColumnFamilyOptions(GraphFamilyOptions(family)));
  }
  descriptors.emplace_back(DefaultFamily(), rocksdb::ColumnFamilyOptions());
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  const std::string path = options.directory.string();
  const rocksdb::DBOptions settings = DatabaseOptions(options.directory);
  const rocksdb::Status status =
      options.read_only
          ? rocksdb::DB::OpenForReadOnly(settings, path, descriptors, &handles,
                                         &opened)
          : rocksdb::DB::Open(settings, path, descriptors, &handles, &opened);
  std::unique_ptr<GraphDatabase> database(new GraphDatabase);
  database->db_.reset(opened);
  SLICE_RETURN_IF_ERROR(FromRocksDb(status, absl::StrCat("open ", path)));
  std::copy_n(handles.begin(), kGraphFamilies.size(),
              database->handles_.begin());
  database->default_handle_ = handles.back();
  database->directory_ = options.directory;
  return database;
}

GraphDatabase::~GraphDatabase() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles_) {
    if (handle != nullptr) db_->DestroyColumnFamilyHandle(handle);
  }
  if (default_handle_ != nullptr)
    db_->DestroyColumnFamilyHandle(default_handle_);
}

uint64_t GraphDatabase::InMemory(const std::string& property) const {
  uint64_t number = 0;
  db_->GetIntProperty(handle(GraphFamily::kDelta), property, &number);
  return number;
}

// When a write to its log has failed, RocksDB goes on only with a new log, and
// aborts without one. It begins one only if it has records in memory. So one
// must be there before the log is written, and the write itself must not move
// the records to a table because there are too many.
absl::Status GraphDatabase::MakeLogReplaceable() const {
  using Properties = rocksdb::DB::Properties;
  if (InMemory(Properties::kCurSizeActiveMemTable) >= kWriteBufferBytes / 2)
    Flush(GraphFamily::kDelta);
  if (InMemory(Properties::kNumEntriesActiveMemTable) > 0)
    return absl::OkStatus();
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  return FromRocksDb(  // removes nothing: no record has this key
      db_->Delete(options, handle(GraphFamily::kDelta), rocksdb::Slice()),
      absl::StrCat("write changes to ", directory_.string()));
}

absl::Status GraphDatabase::WriteDurably(rocksdb::WriteBatch& batch) const {
  SLICE_RETURN_IF_ERROR(MakeLogReplaceable());
  rocksdb::WriteOptions options;
  options.sync = true;
  SLICE_RETURN_IF_ERROR(
      FromRocksDb(db_->Write(options, &batch),
                  absl::StrCat("write changes to ", directory_.string())));
  // RocksDB writes on to files that have no name any more.
  std::error_code error;
  if (std::filesystem::exists(directory_ / "CURRENT", error)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(
      directory_.string(),
      " was removed while it is in use, so that changes "
      "cannot be kept; put a copy of the graph there with `slice-graph "
      "restore`, and start again"));
}

void GraphDatabase::Flush(GraphFamily family) const {
  rocksdb::FlushOptions options;
  // Without waiting, an error of the log may overtake the flush before it
  // begins. RocksDB then never begins it, and Resume waits for ever.
  options.wait = true;
  options.allow_write_stall = true;  // begin now, not when no write would wait
  // An error is that of the disk, and comes up at the next write.
  db_->Flush(options, handle(family)).PermitUncheckedError();
}

absl::StatusOr<std::optional<std::string>> GraphDatabase::Get(
    GraphFamily family, std::string_view key) const {
  std::string value;
  const rocksdb::Status status =
      db_->Get(rocksdb::ReadOptions(), handle(family), AsSlice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  SLICE_RETURN_IF_ERROR(
      FromRocksDb(status, absl::StrCat("read ", GraphFamilyName(family), " of ",
                                       directory_.string())));
  return std::optional<std::string>(std::move(value));
}

absl::Status GraphDatabase::Scan(GraphFamily family, const Visit& visit) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> records(
      db_->NewIterator(options, handle(family)));
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    if (!visit(AsView(records->key()), AsView(records->value()))) break;
  }
  return FromRocksDb(records->status(),
                     absl::StrCat("read ", GraphFamilyName(family), " of ",
                                  directory_.string()));
}

absl::Status GraphDatabase::Ingest(const std::filesystem::path& sst_directory,
                                   bool move) {
  std::vector<rocksdb::IngestExternalFileArg> arguments;
  for (const GraphFamily family : kGraphFamilies) {
    const std::filesystem::path path = SstPath(sst_directory, family);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    rocksdb::IngestExternalFileArg& argument = arguments.emplace_back();
    argument.column_family = handle(family);
    argument.external_files = {path.string()};
    argument.options.move_files = move;
    argument.options.write_global_seqno = false;
    argument.options.verify_checksums_before_ingest = true;
  }
  if (arguments.empty()) {
    return absl::NotFoundError(
        absl::StrCat(sst_directory.string(), " holds no SST file of a graph"));
  }
  return FromRocksDb(db_->IngestExternalFiles(arguments),
                     absl::StrCat("load ", sst_directory.string(), " into ",
                                  directory_.string()));
}

}  // namespace slice
