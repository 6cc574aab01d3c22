// Text files read and written as streams, plain or compressed.
#ifndef SLICE_GRAPHSTORE_TEXT_FILE_H_
#define SLICE_GRAPHSTORE_TEXT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// The text of a file, decompressed on the way when it is gzip or Zstandard;
// its first bytes tell, not its name. Several compressed streams in a row are
// one text. Thread-compatible.
class TextInput {
 public:
  // NOT_FOUND, PERMISSION_DENIED or INTERNAL, naming the path.
  static absl::StatusOr<std::unique_ptr<TextInput>> Open(
      const std::filesystem::path& path);
  virtual ~TextInput() = default;

  // Puts up to `size` bytes into `buffer` and returns how many, 0 only at the
  // end. DATA_LOSS for a damaged or truncated file.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t size) = 0;

  // Bytes of the file that have been used, compressed as they are; for
  // progress.
  virtual uint64_t position() const = 0;
};

// A new file that is there whole or not at all: written beside its place,
// synced and renamed by Commit. A name that ends in .gz or .zst is compressed.
// Thread-compatible.
//
//   SLICE_ASSIGN_OR_RETURN(const auto links,
//   TextOutput::Create("links.tsv.gz")); links->Append("likes\ta\tb\n");
//   SLICE_RETURN_IF_ERROR(links->Commit());
class TextOutput {
 public:
  // Errors as FileError.
  static absl::StatusOr<std::unique_ptr<TextOutput>> Create(
      const std::filesystem::path& path);
  // Removes what was not committed.
  virtual ~TextOutput() = default;

  // Errors are kept for Commit.
  virtual void Append(std::string_view text) = 0;
  // The first error so far: RESOURCE_EXHAUSTED when the disk is full.
  virtual const absl::Status& status() const = 0;
  // Nothing may be appended afterwards.
  virtual absl::Status Commit() = 0;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_TEXT_FILE_H_
