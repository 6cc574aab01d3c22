// Cross products sum panels of a few rows in double precision; products with a
// square matrix go tile by tile in float32. Both have inner loops for several
// instruction sets (common/vectors.h). How rows are cut into pieces depends on
// the shape of the matrix alone, and the sums of the pieces are added in order.
// So no result depends on the number of threads. Cholesky factors and Jacobi
// rotations work on small matrices, on one thread.
#include "trainer/statistics/tall_matrix.h"

#include <algorithm>
#include <cmath>

#include "common/parallel.h"
#include "common/random.h"
#include "common/vectors.h"

namespace slice {
namespace {

constexpr size_t kRowsAtOnce = 1024;
constexpr size_t kMaxPartialSums = 64;
constexpr int kPanelRows = 8;
constexpr int kTileRows = 4;

// A column depends on earlier columns when less than this share of its squared
// length is left after its projection on them is subtracted.
constexpr double kDependent = 1e-10;

// sums += panel_a^T panel_b; panels are [kPanelRows, columns].
SLICE_VECTOR_LOOP void AddPanelProductBody(const double* panel_a,
                                           const double* panel_b, int columns,
                                           double* sums) {
  for (int j = 0; j < columns; ++j) {
    double factors[kPanelRows];
    for (int r = 0; r < kPanelRows; ++r) factors[r] = panel_a[r * columns + j];
    double* const row = sums + size_t(j) * columns;
    for (int k = 0; k < columns; ++k) {
      double sum = 0;
      for (int r = 0; r < kPanelRows; ++r) {
        sum += factors[r] * panel_b[r * columns + k];
      }
      row[k] += sum;
    }
  }
}

// product = rows * factors, where `rows` is [kTileRows, columns] and `factors`
// is [columns, columns]. The sums stay in registers: kTileRows * kVectors
// vectors at a time.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void MultiplyTileBody(const float* rows, const float* factors,
                                        int columns, float* product) {
  // Columns come in multiples of kTallMatrixLanes.
  constexpr int kVectors = kSet == VectorSet::kAvx512 ? 1 : 2;
  constexpr int kStep = kVectors * static_cast<int>(kLanes<kSet>);
  static_assert(kTallMatrixLanes % kStep == 0);
  for (int k = 0; k < columns; k += kStep) {
    Floats<kSet> sums[kTileRows][kVectors] = {};
    for (int j = 0; j < columns; ++j) {
      const float* const factor = factors + size_t(j) * columns + k;
#pragma GCC unroll 4
      for (int r = 0; r < kTileRows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          sums[r][v] += rows[r * columns + j] *
                        LoadFloats<kSet>(factor + v * kLanes<kSet>);
        }
      }
    }
    for (int r = 0; r < kTileRows; ++r) {
      for (int v = 0; v < kVectors; ++v) {
        StoreFloats(sums[r][v], product + r * columns + k + v * kLanes<kSet>);
      }
    }
  }
}

SLICE_VECTOR_VARIANTS(AddPanelProduct, AddPanelProductBody,
                      (const double* a, const double* b, int columns,
                       double* sums),
                      (a, b, columns, sums))
SLICE_VECTOR_KERNEL(MultiplyTile, MultiplyTileBody,
                    (const float* rows, const float* factors, int columns,
                     float* product),
                    (rows, factors, columns, product))

void CopyPanel(const TallMatrix& matrix, size_t begin, size_t end,
               std::vector<double>& panel) {
  const size_t columns = matrix.columns();
  std::fill(panel.begin(), panel.end(), 0.0);
  std::copy(matrix.Row(begin), matrix.Row(begin) + (end - begin) * columns,
            panel.begin());
}

SquareMatrix PartialCrossProduct(const TallMatrix& a, const TallMatrix& b,
                                 size_t begin, size_t end) {
  SquareMatrix sums(a.columns());
  std::vector<double> panel_a(size_t{kPanelRows} * a.columns());
  std::vector<double> panel_b(panel_a.size());
  for (size_t row = begin; row < end; row += kPanelRows) {
    const size_t panel_end = std::min(row + kPanelRows, end);
    CopyPanel(a, row, panel_end, panel_a);
    CopyPanel(b, row, panel_end, panel_b);
    AddPanelProduct(panel_a.data(), panel_b.data(), a.columns(),
                    sums.values.data());
  }
  return sums;
}

// The inverse T of the upper Cholesky factor: gram = T^-T T^-1. Columns whose
// pivot vanishes become zero.
SquareMatrix InverseCholesky(const SquareMatrix& gram) {
  const int size = gram.size;
  SquareMatrix factor(size);  // upper: gram = factor^T factor
  for (int i = 0; i < size; ++i) {
    double pivot = gram(i, i);
    for (int k = 0; k < i; ++k) pivot -= factor(k, i) * factor(k, i);
    if (!(pivot > kDependent * gram(i, i))) continue;  // a row of zeros
    factor(i, i) = std::sqrt(pivot);
    for (int j = i + 1; j < size; ++j) factor(i, j) = gram(i, j);
    for (int k = 0; k < i; ++k) {
      const double weight = factor(k, i);
      for (int j = i + 1; j < size; ++j) factor(i, j) -= weight * factor(k, j);
    }
    for (int j = i + 1; j < size; ++j) factor(i, j) /= factor(i, i);
  }
  SquareMatrix inverse(size);
  for (int i = size - 1; i >= 0; --i) {
    if (factor(i, i) == 0) continue;
    // Row i of T follows from the rows below it, since factor * T = I.
    for (int k = i + 1; k < size; ++k) {
      const double weight = factor(i, k);
      for (int j = k; j < size; ++j) inverse(i, j) -= weight * inverse(k, j);
    }
    for (int j = i + 1; j < size; ++j) inverse(i, j) /= factor(i, i);
    inverse(i, i) = 1 / factor(i, i);
  }
  // A dropped column becomes zeros.
  for (int j = 0; j < size; ++j) {
    if (factor(j, j) != 0) continue;
    for (int i = 0; i < size; ++i) inverse(i, j) = 0;
  }
  return inverse;
}

double OffDiagonalSquares(const SquareMatrix& matrix) {
  double sum = 0;
  for (int i = 0; i < matrix.size; ++i) {
    for (int j = 0; j < i; ++j) sum += matrix(i, j) * matrix(i, j);
  }
  return sum;
}

// Row p of the matrix becomes c p - s q, and row q becomes s p + c q.
void RotateRows(SquareMatrix& matrix, int p, int q, double c, double s) {
  double* const row_p = &matrix(p, 0);
  double* const row_q = &matrix(q, 0);
  for (int k = 0; k < matrix.size; ++k) {
    const double x = row_p[k];
    const double y = row_q[k];
    row_p[k] = c * x - s * y;
    row_q[k] = s * x + c * y;
  }
}

// Rotates rows and columns p and q so that matrix(p, q) becomes zero. The rows
// of `transposed` are rotated too, and become the eigenvectors at last.
void JacobiRotation(SquareMatrix& matrix, int p, int q,
                    SquareMatrix& transposed) {
  const double off = matrix(p, q);
  const double app = matrix(p, p);
  const double aqq = matrix(q, q);
  const double tau = (aqq - app) / (2 * off);
  const double t =
      (tau >= 0 ? 1.0 : -1.0) / (std::abs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t);
  RotateRows(matrix, p, q, c, t * c);
  // The matrix stays symmetric: its columns p and q are its rows.
  for (int k = 0; k < matrix.size; ++k) {
    matrix(k, p) = matrix(p, k);
    matrix(k, q) = matrix(q, k);
  }
  matrix(p, p) = app - t * off;
  matrix(q, q) = aqq + t * off;
  matrix(p, q) = matrix(q, p) = 0;
  RotateRows(transposed, p, q, c, t * c);
}

}  // namespace

TallMatrix RandomMatrix(size_t rows, int columns, uint64_t seed, int threads) {
  // A value is the sum of four uniform 16-bit numbers, scaled. The sum has the
  // mean 2 * (2^16 - 1) and the variance 4 * (2^32 - 1) / 12.
  constexpr float kMean = 131070.0f;
  const float scale = static_cast<float>(1 / std::sqrt(4294967295.0 / 3));
  TallMatrix matrix(rows, columns);
  ParallelFor(rows, kRowsAtOnce, threads, [&](size_t begin, size_t end, int) {
    for (size_t row = begin; row < end; ++row) {
      Random random(CombineHash(seed, row));
      for (int k = 0; k < columns; ++k) {
        const uint64_t bits = random();
        const uint64_t sum = (bits & 0xffff) + (bits >> 16 & 0xffff) +
                             (bits >> 32 & 0xffff) + (bits >> 48);
        matrix.Row(row)[k] = (static_cast<float>(sum) - kMean) * scale;
      }
    }
  });
  return matrix;
}

SquareMatrix CrossProduct(const TallMatrix& a, const TallMatrix& b,
                          int threads) {
  // Pieces depend on the shape alone, and their sums are added in order.
  const size_t pieces =
      std::clamp<size_t>(a.rows() / kRowsAtOnce, 1, kMaxPartialSums);
  std::vector<SquareMatrix> sums(pieces, SquareMatrix(0));
  ParallelFor(pieces, 1, threads, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      sums[i] = PartialCrossProduct(a, b, a.rows() * i / pieces,
                                    a.rows() * (i + 1) / pieces);
    }
  });
  for (size_t i = 1; i < pieces; ++i) {
    for (size_t k = 0; k < sums[0].values.size(); ++k) {
      sums[0].values[k] += sums[i].values[k];
    }
  }
  return std::move(sums[0]);
}

void MultiplyRight(const SquareMatrix& right, int threads, TallMatrix* matrix) {
  const int columns = matrix->columns();
  const std::vector<float> factors(right.values.begin(), right.values.end());
  ParallelFor(
      matrix->rows(), kRowsAtOnce, threads, [&](size_t begin, size_t end, int) {
        std::vector<float> tile(size_t{kTileRows} * columns);
        std::vector<float> product(tile.size());
        for (size_t row = begin; row < end; row += kTileRows) {
          const size_t count = std::min<size_t>(kTileRows, end - row) * columns;
          float* const values = matrix->Row(row);
          std::copy(values, values + count, tile.begin());
          MultiplyTile(tile.data(), factors.data(), columns, product.data());
          std::copy(product.begin(), product.begin() + count, values);
        }
      });
}

void OrthonormalizeRoughly(int threads, TallMatrix* matrix) {
  MultiplyRight(InverseCholesky(CrossProduct(*matrix, *matrix, threads)),
                threads, matrix);
}

void Orthonormalize(int threads, TallMatrix* matrix) {
  OrthonormalizeRoughly(threads, matrix);
  OrthonormalizeRoughly(threads, matrix);
}

SymmetricEigen DecomposeSymmetric(SquareMatrix matrix) {
  constexpr int kMaxSweeps = 60;
  const int size = matrix.size;
  SquareMatrix transposed(size);
  double diagonal = 0;
  for (int i = 0; i < size; ++i) {
    transposed(i, i) = 1;
    diagonal += matrix(i, i) * matrix(i, i);
  }
  const double tolerance = 1e-26 * (diagonal + OffDiagonalSquares(matrix));
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    if (OffDiagonalSquares(matrix) <= tolerance) break;
    for (int p = 0; p < size; ++p) {
      for (int q = p + 1; q < size; ++q) {
        if (matrix(p, q) != 0) JacobiRotation(matrix, p, q, transposed);
      }
    }
  }
  SymmetricEigen eigen{std::vector<double>(size), SquareMatrix(size)};
  for (int i = 0; i < size; ++i) {
    eigen.values[i] = matrix(i, i);
    for (int k = 0; k < size; ++k) eigen.vectors(k, i) = transposed(i, k);
  }
  return eigen;
}

}  // namespace slice
