// Keeps two processes from working in one directory at the same time.
//
//   SLICE_ASSIGN_OR_RETURN(const DirectoryLock lock,
//                          DirectoryLock::Acquire(work_folder));
#ifndef SLICE_COMMON_DIRECTORY_LOCK_H_
#define SLICE_COMMON_DIRECTORY_LOCK_H_

#include <filesystem>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/file_descriptor.h"

namespace slice {

// A lock on a directory. It ends with this object, or with the process, however
// that ends. Movable; thread-compatible.
class DirectoryLock {
 public:
  // Makes the directory and its parents where they are missing, and locks it.
  // Never waits: returns UNAVAILABLE, with the id of the process that has the
  // lock, when another process or another object has it. Otherwise returns the
  // errors of CreateDirectories (common/files.h).
  static absl::StatusOr<DirectoryLock> Acquire(
      const std::filesystem::path& directory);

  // Unlocks. Removes the directories that Acquire made, if they are empty.
  ~DirectoryLock();
  DirectoryLock(DirectoryLock&&) = default;
  DirectoryLock& operator=(DirectoryLock&&) = delete;

 private:
  explicit DirectoryLock(std::filesystem::path directory);

  std::filesystem::path File() const { return directory_ / "lock"; }
  absl::Status MakeDirectories();
  absl::Status Lock();
  absl::Status Held(int fd) const;

  std::filesystem::path directory_;
  // The directories that this object made, the deepest first.
  std::vector<std::filesystem::path> made_;
  std::unique_ptr<const FileDescriptor> file_;  // null without the lock
};

}  // namespace slice

#endif  // SLICE_COMMON_DIRECTORY_LOCK_H_
