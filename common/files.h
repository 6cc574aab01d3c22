// Whole-file reading, crash-safe writing and digests.
#ifndef SLICE_COMMON_FILES_H_
#define SLICE_COMMON_FILES_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// The file's bytes. NOT_FOUND, PERMISSION_DENIED or DATA_LOSS, each naming the
// path.
absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path);

// Writes `bytes` to a temporary neighbour, syncs it and renames it over `path`:
// a reader sees the old file or the whole new one. RESOURCE_EXHAUSTED when the
// disk is full.
absl::Status WriteFileAtomically(const std::filesystem::path& path,
                                 std::string_view bytes);

// Makes the directory and those above it; an error where it is read-only.
absl::Status CreateDirectories(const std::filesystem::path& directory);

// CreateDirectories() of the folder of a file that is written last, so that a
// path that cannot be written, or is a folder, is known first. "" is fine.
absl::Status CreateFolderOf(const std::filesystem::path& file);

// Flushes a file or directory to disk.
absl::Status SyncPath(const std::filesystem::path& path);

// Renames the directory `from` over `to`: an older one is set aside first and
// removed last.
absl::Status ReplaceDirectory(const std::filesystem::path& from,
                              const std::filesystem::path& to);

// In the files right below `directory`; what cannot be read counts as nothing.
uint64_t DirectoryBytes(const std::filesystem::path& directory);

// An INTERNAL, NOT_FOUND, PERMISSION_DENIED or RESOURCE_EXHAUSTED status from
// `error_number`, as "cannot <action> <path>: <reason>".
absl::Status FileError(std::string_view action,
                       const std::filesystem::path& path, int error_number);

// SHA-256 fed piece by piece. Thread-compatible.
class Sha256Digest {
 public:
  Sha256Digest();
  Sha256Digest(Sha256Digest&&) noexcept;
  Sha256Digest& operator=(Sha256Digest&&) noexcept;
  ~Sha256Digest();

  void Update(std::string_view bytes);
  // Lower-case hexadecimal. Nothing may be fed afterwards.
  std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Lower-case hexadecimal SHA-256 of a whole file, or of bytes.
absl::StatusOr<std::string> Sha256File(const std::filesystem::path& path);
std::string Sha256Bytes(std::string_view bytes);

}  // namespace slice

#endif  // SLICE_COMMON_FILES_H_
