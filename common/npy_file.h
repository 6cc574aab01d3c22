// Matrices of NumPy's .npy format, versions 1 to 3.
#ifndef SLICE_COMMON_NPY_FILE_H_
#define SLICE_COMMON_NPY_FILE_H_

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

struct NpyMatrix {
  size_t rows = 0;
  size_t columns = 0;
  std::vector<float> values;  // [rows, columns] float32, row-major
};

// Reads a two-dimensional array of little-endian float32 or float64, in C or
// Fortran order. A float64 that is too large for a float32 becomes infinite.
// Every error names the path. The errors are those of ReadFile, DATA_LOSS for a
// file that is cut short or too long, and INVALID_ARGUMENT for any other
// content; where a conversion helps, the message says which.
absl::StatusOr<NpyMatrix> ReadNpyMatrix(const std::filesystem::path& path);

// Writes a matrix in version 1 of the format. `values` is [rows, columns]
// float32, row-major. The file appears whole or not at all. The errors are
// those of WriteFileAtomically. REQUIRES: columns > 0, and it divides
// values.size().
absl::Status WriteNpyMatrix(const std::filesystem::path& path,
                            std::span<const float> values, size_t columns);

}  // namespace slice

#endif  // SLICE_COMMON_NPY_FILE_H_
