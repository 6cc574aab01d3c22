// Reading of whole files, and writing that survives a crash.
#ifndef SLICE_COMMON_FILES_H_
#define SLICE_COMMON_FILES_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// Returns the file's bytes. The errors are those of FileError; a directory
// gives INTERNAL.
absl::StatusOr<std::string> ReadFile(const std::filesystem::path& path);

// Calls `consume` with the file's bytes, at most a megabyte at a time. The
// errors are those of ReadFile.
absl::Status ReadPieces(const std::filesystem::path& path,
                        const std::function<void(std::string_view)>& consume);

// Writes `bytes` to a temporary neighbour, syncs it and renames it over `path`:
// a reader sees the old file or the whole new one. RESOURCE_EXHAUSTED when the
// disk is full.
absl::Status WriteFileAtomically(const std::filesystem::path& path,
                                 std::string_view bytes);

// Makes the directory and its parents. Fails when the directory cannot be
// written to.
absl::Status CreateDirectories(const std::filesystem::path& directory);

// Makes the directory of a file that will be written at the end of long work.
// So a path that cannot be written, or that is a directory, is an error before
// the work and not after it. Does nothing for "".
absl::Status CreateFolderOf(const std::filesystem::path& file);

// Flushes a file or directory to disk.
absl::Status SyncPath(const std::filesystem::path& path);

// Renames the directory `from` to `to`, and removes the directory that was at
// `to` before. A process that is killed meanwhile leaves a whole one at `to`,
// and the other or its rest at `from`. On a file system that cannot exchange
// them it may also leave nothing at `to`: the older one is at `to` + ".old"
// then.
absl::Status ReplaceDirectory(const std::filesystem::path& from,
                              const std::filesystem::path& to);

// Renames `path` + ".old" to `path` when nothing is at `path`: undoes a
// ReplaceDirectory that was interrupted. Returns whether it did so.
absl::StatusOr<bool> PutBackDirectory(const std::filesystem::path& path);

// The summed sizes of the files directly in `directory`. A file whose size is
// unknown counts 0.
uint64_t DirectoryBytes(const std::filesystem::path& directory);

// Turns `error_number` (errno(3)) into an INTERNAL, NOT_FOUND,
// PERMISSION_DENIED or RESOURCE_EXHAUSTED status with the message "cannot
// <action> <path>: <reason>".
absl::Status FileError(std::string_view action,
                       const std::filesystem::path& path, int error_number);

}  // namespace slice

#endif  // SLICE_COMMON_FILES_H_
