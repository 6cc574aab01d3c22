// Multiplies the vector of each node by the matrix of the node's type.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_TYPED_ROWS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_TYPED_ROWS_H_

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// The rows of a matrix by type. Immutable; thread-safe.
class TypedRows {
 public:
  // `types` [rows] holds the type of each row, below `type_count`.
  TypedRows(std::span<const uint32_t> types, size_t type_count);

  // [rows, columns]: each row of `values` [rows, width] times the matrix of its
  // type. `matrices` [types * width, columns] has the matrices one below the
  // other.
  at::Tensor Multiply(const at::Tensor& values,
                      const at::Tensor& matrices) const;

  // [rows, columns]: for each row that of its type in `table` [types, columns].
  at::Tensor Take(const at::Tensor& table) const;

 private:
  std::vector<at::Tensor> positions_;  // [types], each int64 [rows of the type]
  at::Tensor place_;  // int64 [rows]: where a row is when sorted by type
  at::Tensor types_;  // int64 [rows]
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_TYPED_ROWS_H_
