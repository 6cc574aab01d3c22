// Text files read as streams, plain or compressed.
#ifndef SLICE_COMMON_TABLE_TEXT_INPUT_H_
#define SLICE_COMMON_TABLE_TEXT_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"

namespace slice {

// The text of a file, which is decompressed on the way when it is gzip or
// Zstandard. The first bytes of the file decide that, not its name. Several
// compressed streams in a row are one text. Zeros may pad a gzip file.
// Thread-compatible.
class TextInput {
 public:
  // NOT_FOUND, PERMISSION_DENIED, INTERNAL, or INVALID_ARGUMENT for a format
  // that is no text, naming the path.
  static absl::StatusOr<std::unique_ptr<TextInput>> Open(
      const std::filesystem::path& path);
  // The same of what is left of standard input. A pipe is plain or gzip.
  static absl::StatusOr<std::unique_ptr<TextInput>> OpenStandardInput();
  virtual ~TextInput() = default;

  // Puts up to `size` bytes into `buffer` and returns their number, which is 0
  // only at the end. DATA_LOSS for a damaged or truncated file, and when other
  // bytes follow the compressed text.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t size) = 0;

  // Bytes of the file used so far, before decompression; for progress.
  virtual uint64_t position() const = 0;
};

}  // namespace slice

#endif  // SLICE_COMMON_TABLE_TEXT_INPUT_H_
