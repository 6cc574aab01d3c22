// Dense matrices with many rows and few columns, and the small square matrices
// a^T b that two of them give. Randomised factorisations are made of both.
#ifndef SLICE_TRAINER_STATISTICS_TALL_MATRIX_H_
#define SLICE_TRAINER_STATISTICS_TALL_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/huge_pages.h"

namespace slice {

// The number of columns is a multiple of this, so that inner loops need no
// remainder.
inline constexpr int kTallMatrixLanes = 16;

// [rows, columns] float32, row-major. Thread-compatible.
class TallMatrix {
 public:
  // Zeros. REQUIRES: columns is a multiple of kTallMatrixLanes.
  TallMatrix(size_t rows, int columns) : rows_(rows), columns_(columns) {
    ReserveHugePages(rows * columns, &values_);
    values_.resize(rows * columns);
  }

  size_t rows() const { return rows_; }
  int columns() const { return columns_; }
  float* Row(size_t row) { return values_.data() + row * columns_; }
  const float* Row(size_t row) const { return values_.data() + row * columns_; }

 private:
  size_t rows_;
  int columns_;
  std::vector<float> values_;
};

// [size, size] float64, row-major.
struct SquareMatrix {
  explicit SquareMatrix(int n) : size(n), values(size_t(n) * n) {}
  double& operator()(int i, int j) { return values[size_t(i) * size + j]; }
  double operator()(int i, int j) const { return values[size_t(i) * size + j]; }

  int size;
  std::vector<double> values;
};

// The results of all functions below do not depend on the number of threads.

// Independent values of mean 0 and variance 1, nearly normal. A row depends on
// `seed` and its own number alone.
TallMatrix RandomMatrix(size_t rows, int columns, uint64_t seed, int threads);

// a^T b, summed in double precision. REQUIRES: a and b have the same shape.
SquareMatrix CrossProduct(const TallMatrix& a, const TallMatrix& b,
                          int threads);

// matrix = matrix * right. REQUIRES: right.size == matrix->columns().
void MultiplyRight(const SquareMatrix& right, int threads, TallMatrix* matrix);

// Replaces the columns by orthonormal ones of the same span. A column becomes
// zeros if it depends on earlier columns but for about 1e-5 of its length. The
// method is Cholesky QR with factors in double precision, done twice because
// rounding spoils the first pass (Yamamoto et al., ETNA 44, 2015).
void Orthonormalize(int threads, TallMatrix* matrix);

// One pass of Orthonormalize, which is enough to keep the columns apart between
// power iterations.
void OrthonormalizeRoughly(int threads, TallMatrix* matrix);

struct SymmetricEigen {
  std::vector<double> values;  // in no order
  SquareMatrix vectors;        // column i belongs to values[i]
};

// Eigenvalues and eigenvectors by cyclic Jacobi rotations (Golub and Van Loan,
// 8.5). REQUIRES: `matrix` is symmetric.
SymmetricEigen DecomposeSymmetric(SquareMatrix matrix);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_TALL_MATRIX_H_
