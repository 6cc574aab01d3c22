// Files read, written and renamed by system calls.
//
// A new file is never seen half-written: its bytes go to a temporary neighbour
// ("<name>.tmp-<pid>") and are synced there (fsync(2)), and only then does
// rename(2) put the neighbour in place. At last the parent directory is synced,
// so that the new name survives a crash too. ReplaceDirectory does the same for
// a directory that the caller has filled: it lets the two directories change
// places (renameat2(2)). Some file systems cannot do that. There it needs two
// renames. Between them there is no directory at the path, and the older one is
// at "<name>.old", from where PutBackDirectory fetches it.
//
// Every error names the path and the system's reason (FileError).
#include "common/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/file_descriptor.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr size_t kPieceBytes = 1 << 20;

absl::Status WriteAll(int fd, std::string_view bytes,
                      const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError("write", path, errno);
    bytes.remove_prefix(count);
  }
  if (::fsync(fd) != 0) return FileError("sync", path, errno);
  return absl::OkStatus();
}

absl::Status WriteNewFile(const std::filesystem::path& path,
                          std::string_view bytes) {
  FileDescriptor file(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (!file.ok()) return FileError("create", path, errno);
  return WriteAll(file.get(), bytes, path);
}

std::filesystem::path FolderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

absl::Status Rename(const std::filesystem::path& from,
                    const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return absl::OkStatus();
  return FileError("rename to", to, errno);
}

// Where a directory is while another one takes its place.
std::filesystem::path AsidePath(const std::filesystem::path& path) {
  return path.string() + ".old";
}

// What an earlier call left at `aside` may be all that there is of something.
// So it gets a name of its own.
absl::Status KeepEarlier(const std::filesystem::path& path,
                         const std::filesystem::path& aside) {
  std::error_code error;
  if (!std::filesystem::exists(aside, error)) return absl::OkStatus();
  std::filesystem::path kept;
  int number = 0;
  do {
    kept = absl::StrCat(path.string(), ".", ++number, ".old");
  } while (std::filesystem::exists(kept, error));
  return Rename(aside, kept);
}

// Returns where the older directory is now, if there was one.
absl::StatusOr<std::filesystem::path> PutInPlaceOf(
    const std::filesystem::path& to, const std::filesystem::path& from) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_EXCHANGE) == 0) {
    return from;
  }
  const std::filesystem::path aside = AsidePath(to);
  std::error_code error;
  const bool is_there = std::filesystem::exists(to, error);
  if (is_there) {
    SLICE_RETURN_IF_ERROR(KeepEarlier(to, aside));
    SLICE_RETURN_IF_ERROR(Rename(to, aside));
  }
  const absl::Status renamed = Rename(from, to);
  if (renamed.ok()) return is_there ? aside : std::filesystem::path();
  if (is_there) ::rename(aside.c_str(), to.c_str());
  return renamed;
}

}  // namespace

absl::Status FileError(std::string_view action,
                       const std::filesystem::path& path, int error_number) {
  const std::string message =
      absl::StrCat("cannot ", std::string(action), " ", path.string(), ": ",
                   std::strerror(error_number));
  switch (error_number) {
    case ENOENT:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOSPC:
    case EDQUOT:
      return absl::ResourceExhaustedError(message);
    default:
      return absl::InternalError(message);
  }
}

absl::Status ReadPieces(const std::filesystem::path& path,
                        const std::function<void(std::string_view)>& consume) {
  FileDescriptor file(path, O_RDONLY);
  if (!file.ok()) return FileError("open", path, errno);
  std::string buffer(kPieceBytes, '\0');
  while (true) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FileError("read", path, errno);
    if (count == 0) return absl::OkStatus();
    consume(std::string_view(buffer.data(), count));
  }
}

absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path) {
  std::string bytes;
  SLICE_RETURN_IF_ERROR(
      ReadPieces(path, [&](std::string_view piece) { bytes.append(piece); }));
  return bytes;
}

absl::Status WriteFileAtomically(const std::filesystem::path& path,
                                 std::string_view bytes) {
  const std::filesystem::path temporary =
      path.string() + absl::StrCat(".tmp-", static_cast<int64_t>(::getpid()));
  if (absl::Status status = WriteNewFile(temporary, bytes); !status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  if (absl::Status status = Rename(temporary, path); !status.ok()) {
    ::unlink(temporary.c_str());
    return status;
  }
  return SyncPath(FolderOf(path));
}

absl::Status CreateDirectories(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return FileError("create", directory, error.value());
  if (::access(directory.c_str(), W_OK | X_OK) == 0) return absl::OkStatus();
  return FileError("write to", directory, errno);
}

absl::Status CreateFolderOf(const std::filesystem::path& file) {
  if (file.empty()) return absl::OkStatus();
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::status_known(status)) {
    return FileError("write", file, error.value());
  }
  if (std::filesystem::is_directory(status)) {
    return FileError("write", file, EISDIR);
  }
  return CreateDirectories(FolderOf(file));
}

uint64_t DirectoryBytes(const std::filesystem::path& directory) {
  std::error_code error;
  uint64_t bytes = 0;
  for (std::filesystem::directory_iterator entry(directory, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code not_a_file;
    const uint64_t size = entry->file_size(not_a_file);
    if (!not_a_file) bytes += size;
  }
  return bytes;
}

absl::Status ReplaceDirectory(const std::filesystem::path& from,
                              const std::filesystem::path& to) {
  SLICE_ASSIGN_OR_RETURN(const std::filesystem::path older,
                         PutInPlaceOf(to, from));
  SLICE_RETURN_IF_ERROR(SyncPath(FolderOf(to)));
  std::error_code ignored;
  if (!older.empty()) std::filesystem::remove_all(older, ignored);
  return absl::OkStatus();
}

absl::StatusOr<bool> PutBackDirectory(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (status.type() != std::filesystem::file_type::not_found) return false;
  if (!std::filesystem::exists(AsidePath(path), error)) return false;
  SLICE_RETURN_IF_ERROR(Rename(AsidePath(path), path));
  SLICE_RETURN_IF_ERROR(SyncPath(FolderOf(path)));
  return true;
}

absl::Status SyncPath(const std::filesystem::path& path) {
  FileDescriptor file(path, O_RDONLY);
  if (!file.ok()) return FileError("open", path, errno);
  if (::fsync(file.get()) != 0) return FileError("sync", path, errno);
  return absl::OkStatus();
}

}  // namespace slice
