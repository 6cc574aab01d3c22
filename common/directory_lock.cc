// The lock is flock(2) on the file `lock` in the directory, so that the kernel
// ends it with the process. The file holds the id of that process, for
// messages. The file is removed with the lock. Between the opening of the file
// and its locking another process may have removed it; the lock then counts for
// nothing, and Acquire tries again.
#include "common/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// More would mean that others take and leave the lock all the time.
constexpr int kAttempts = 100;

}  // namespace

DirectoryLock::DirectoryLock(fs::path directory)
    : directory_(std::move(directory)) {}

DirectoryLock::~DirectoryLock() {
  if (file_) ::unlink(File().c_str());
  for (const fs::path& directory : made_) ::rmdir(directory.c_str());
}

absl::StatusOr<DirectoryLock> DirectoryLock::Acquire(
    const fs::path& directory) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    DirectoryLock lock(directory);
    SLICE_RETURN_IF_ERROR(lock.MakeDirectories());
    const absl::Status status = lock.Lock();
    if (status.ok()) return lock;
    if (!absl::IsAborted(status)) return status;
  }
  return absl::UnavailableError(
      absl::StrCat("other processes lock ", directory.string(),
                   " all the time; wait until they have ended"));
}

absl::Status DirectoryLock::MakeDirectories() {
  std::error_code error;
  fs::path missing = directory_;
  while (!missing.empty() && !fs::exists(missing, error) && !error) {
    if (missing.has_filename()) made_.push_back(missing);
    missing = missing.parent_path();
  }
  return CreateDirectories(directory_);
}

// Returns ABORTED when the file was removed meanwhile.
absl::Status DirectoryLock::Lock() {
  auto file = std::make_unique<FileDescriptor>(File(), O_RDWR | O_CREAT, 0644);
  if (!file->ok() && errno == ENOENT) return absl::AbortedError("removed");
  if (!file->ok()) return FileError("create", File(), errno);
  if (::flock(file->get(), LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? Held(file->get())
                                : FileError("lock", File(), errno);
  }
  struct stat opened = {}, there = {};
  if (::fstat(file->get(), &opened) != 0 ||
      ::stat(File().c_str(), &there) != 0 || opened.st_ino != there.st_ino) {
    return absl::AbortedError("removed");
  }
  const std::string id = absl::StrCat(int64_t{::getpid()}, "\n");
  if (::ftruncate(file->get(), 0) != 0 ||
      ::pwrite(file->get(), id.data(), id.size(), 0) < 0) {
    return FileError("write", File(), errno);
  }
  file_ = std::move(file);
  return absl::OkStatus();
}

absl::Status DirectoryLock::Held(int fd) const {
  std::array<char, 32> text = {};
  const ssize_t count = ::pread(fd, text.data(), text.size(), 0);
  int64_t id = 0;
  const bool known =
      count > 0 && absl::SimpleAtoi(absl::string_view(text.data(), count), &id);
  return absl::UnavailableError(
      absl::StrCat(known ? absl::StrCat("process ", id) : "another process",
                   " is at work in ", directory_.string(),
                   "; wait until it has ended, or choose another directory"));
}

}  // namespace slice
