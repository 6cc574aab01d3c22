#include "graphstore/database_checkpoint.h"

#include <memory>
#include <string>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "graphstore/rocksdb_status.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/checkpoint.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

absl::Status CheckNothingThere(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(
      directory.string(), " exists; give a directory that does not"));
}

absl::Status SyncFiles(const fs::path& directory) {
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error))
    SLICE_RETURN_IF_ERROR(SyncPath(entry->path()));
  if (error) return FileError("list", directory, error.value());
  return SyncPath(directory);
}

// The directory that holds `path`; makes it.
absl::StatusOr<fs::path> MakeParent(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  if (error) return FileError("find", path, error.value());
  SLICE_RETURN_IF_ERROR(CreateDirectories(whole.parent_path()));
  return whole.parent_path();
}

// RocksDB makes the directory itself, but its errors do not tell a path that
// cannot be made from a damaged database.
absl::Status CheckCanBeMade(const fs::path& directory) {
  std::error_code error;
  fs::create_directory(directory, error);
  if (error) return FileError("create", directory, error.value());
  fs::remove(directory, error);
  if (error) return FileError("remove", directory, error.value());
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckpointDatabase(const GraphDatabase& database,
                                const fs::path& directory) {
  SLICE_RETURN_IF_ERROR(CheckNothingThere(directory));
  SLICE_ASSIGN_OR_RETURN(const fs::path parent, MakeParent(directory));
  SLICE_RETURN_IF_ERROR(CheckCanBeMade(directory));
  const std::string what = absl::StrCat("copy ", database.directory().string(),
                                        " to ", directory.string());
  rocksdb::Checkpoint* made = nullptr;
  SLICE_RETURN_IF_ERROR(
      FromRocksDb(rocksdb::Checkpoint::Create(database.db(), &made), what));
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  SLICE_RETURN_IF_ERROR(
      FromRocksDb(checkpoint->CreateCheckpoint(directory.string()), what));
  SLICE_RETURN_IF_ERROR(SyncFiles(directory));
  return SyncPath(parent);
}

absl::Status RestoreDatabase(const fs::path& from, const fs::path& to,
                             bool replace) {
  SLICE_RETURN_IF_ERROR(PutBackDirectory(to).status());
  if (!replace) SLICE_RETURN_IF_ERROR(CheckNothingThere(to));
  SLICE_RETURN_IF_ERROR(MakeParent(to).status());
  const fs::path partial = to.string() + ".partial";
  std::error_code error;
  fs::remove_all(partial, error);
  if (error) return FileError("remove", partial, error.value());
  fs::copy(from, partial, fs::copy_options::recursive, error);
  if (error) {
    std::error_code ignored;
    fs::remove_all(partial, ignored);
    return FileError("copy", from, error.value());
  }
  SLICE_RETURN_IF_ERROR(SyncFiles(partial));
  return ReplaceDirectory(partial, to);
}

}  // namespace slice
