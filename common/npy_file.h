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
// Fortran order; a value that a float32 cannot hold becomes infinite. Errors
// name the path: those of ReadFile, DATA_LOSS for a file cut short or too long,
// INVALID_ARGUMENT for any other content, with the way to convert it.
absl::StatusOr<NpyMatrix> ReadNpyMatrix(const std::filesystem::path& path);

// Writes [rows, columns] float32, row-major, in version 1 of the format; the
// file appears whole or not at all. Errors: those of WriteFileAtomically.
// REQUIRES: columns > 0 divides values.size().
absl::Status WriteNpyMatrix(const std::filesystem::path& path,
                            std::span<const float> values, size_t columns);

}  // namespace slice

#endif  // SLICE_COMMON_NPY_FILE_H_
