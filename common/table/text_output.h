// Text files written as streams, plain or compressed.
#ifndef SLICE_COMMON_TABLE_TEXT_OUTPUT_H_
#define SLICE_COMMON_TABLE_TEXT_OUTPUT_H_

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// A new file that appears whole or not at all: it is written without a name, or
// where that cannot be under a temporary one in the same directory; Commit
// syncs it and gives it its name. A file whose name ends in .gz or .zst is
// compressed. Thread-compatible.
//
//   SLICE_ASSIGN_OR_RETURN(auto links, TextOutput::Create("links.tsv.gz"));
//   links->Append("likes\ta\tb\n");
//   SLICE_RETURN_IF_ERROR(links->Commit());
class TextOutput {
 public:
  // Makes the temporary file. Returns the errors of FileError
  // (common/files.h).
  static absl::StatusOr<std::unique_ptr<TextOutput>> Create(
      const std::filesystem::path& path);
  // Removes what was written, unless Commit succeeded.
  virtual ~TextOutput() = default;

  // Adds text. If writing fails, status() and Commit() return the error.
  virtual void Append(std::string_view text) = 0;
  // The first error so far: RESOURCE_EXHAUSTED when the disk is full.
  virtual const absl::Status& status() const = 0;
  // Ends the file and syncs it, without giving it its name. Nothing may be
  // appended afterwards.
  virtual absl::Status Finish() = 0;
  // Finishes the file and gives it its name.
  virtual absl::Status Commit() = 0;
  virtual const std::filesystem::path& path() const = 0;
};

// Commits all files or none. None gets its name before all are finished.
absl::Status CommitAll(std::span<const std::unique_ptr<TextOutput>> files);

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_TEXT_OUTPUT_H_
