// The global embeddings of a bundle: embeddings.bin.
#ifndef SLICE_MODEL_EMBEDDING_TABLE_H_
#define SLICE_MODEL_EMBEDDING_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// A table with one row per node. The whole file is read into memory, so that
// later changes to the file change no answer. Immutable; thread-safe.
class EmbeddingTable {
 public:
  // DATA_LOSS when the header or the size is wrong; RESOURCE_EXHAUSTED when
  // memory ran out; errors of FileError (common/files.h).
  static absl::StatusOr<std::unique_ptr<EmbeddingTable>> Open(
      const std::filesystem::path& path);
  // Writes `values` [rows, dim]. INVALID_ARGUMENT when `values` has another
  // size.
  static absl::Status Save(const std::filesystem::path& path,
                           std::span<const float> values, uint64_t rows,
                           int dim);
  ~EmbeddingTable();

  uint64_t rows() const { return rows_; }
  int dim() const { return dim_; }
  const float* data() const { return data_; }  // [rows, dim], row-major

 private:
  EmbeddingTable() = default;
  absl::Status Allocate(size_t size);

  void* memory_ = nullptr;  // the bytes of the file, owned
  size_t memory_size_ = 0;
  uint64_t rows_ = 0;
  int dim_ = 0;
  const float* data_ = nullptr;
};

}  // namespace slice

#endif  // SLICE_MODEL_EMBEDDING_TABLE_H_
