#include "graphstore/rocksdb_status.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "rocksdb/status.h"

namespace slice {
namespace {

// RocksDB reports a held lock as an I/O error. Only the text tells it from
// other I/O errors.
bool IsLockHeld(const rocksdb::Status& status, const std::string& text) {
  return (status.IsIOError() || status.IsBusy()) &&
         (absl::StrContains(text, "lock hold by") ||
          absl::StrContains(text, "While lock file"));
}

}  // namespace

absl::Status FromRocksDb(const rocksdb::Status& status,
                         std::string_view action) {
  if (status.ok()) return absl::OkStatus();
  const std::string text = status.ToString();
  const std::string what(action);
  if (IsLockHeld(status, text)) {
    return absl::FailedPreconditionError(
        absl::StrCat(what,
                     ": the data directory is in use by another process; "
                     "stop that process or choose another directory"));
  }
  if (status.IsNotSupported() && absl::StrContains(text, "read only")) {
    return absl::FailedPreconditionError(absl::StrCat(
        what,
        ": the data directory was opened read-only; start the server on "
        "one that it may write to"));
  }
  if (status.IsNoSpace() || status.IsMemoryLimit()) {
    return absl::ResourceExhaustedError(
        absl::StrCat(what, ": ", text, "; make room and try again"));
  }
  const std::string message = absl::StrCat(what, ": ", text);
  // PathNotFound: a file that the database refers to is missing.
  if (status.IsCorruption() || status.IsPathNotFound()) {
    return absl::DataLossError(message);
  }
  if (status.IsNotFound()) return absl::NotFoundError(message);
  if (status.IsInvalidArgument()) return absl::InvalidArgumentError(message);
  return absl::InternalError(message);
}

}  // namespace slice
