// Who opens a RocksDB to write has a write lock (fcntl(2)) on all of its file
// LOCK. A read lock excludes it, and needs no right to write. It is one of an
// open file (F_OFD_SETLK), so that it also excludes this process itself.
#include "graphstore/graph_directory_lock.h"

#include <fcntl.h>

#include <cerrno>

#include "absl/strings/str_cat.h"

namespace slice {

absl::StatusOr<GraphDirectoryLock> GraphDirectoryLock::Acquire(
    const std::filesystem::path& directory) {
  auto file = std::make_unique<FileDescriptor>(directory / "LOCK", O_RDONLY);
  struct flock whole = {};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  if (file->ok() && ::fcntl(file->get(), F_OFD_SETLK, &whole) != 0 &&
      (errno == EAGAIN || errno == EACCES)) {
    return absl::FailedPreconditionError(
        absl::StrCat(directory.string(),
                     " is in use by another process; stop the server first"));
  }
  return GraphDirectoryLock(std::move(file));
}

}  // namespace slice
