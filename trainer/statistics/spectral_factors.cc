// Factors two matrices of the visible graph: A by a randomised singular value
// decomposition, and the symmetric A + A^T by a randomised eigenvalue
// decomposition. For each matrix:
//   1. the arcs are counted into a sparse matrix and normalised by degrees;
//   2. a random block is multiplied by the matrix again and again, made
//      orthonormal in between, until it spans the leading vectors;
//   3. a small square matrix is decomposed, and its vectors turn the block into
//      the factors, the largest first.
// The result does not depend on the number of threads: every sum has a fixed
// order (trainer/statistics/tall_matrix.h).
#include "trainer/statistics/spectral_factors.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "common/processor_count.h"
#include "common/random.h"
#include "common/range_check.h"
#include "common/status_macros.h"
#include "trainer/statistics/sparse_matrix.h"
#include "trainer/statistics/tall_matrix.h"

namespace slice {
namespace {

// Singular values below this share of the largest come from rounding.
constexpr double kNegligible = 1e-5;

// Row u holds each visible neighbour of u once, with the number of arcs between
// u and that neighbour in the given directions.
SparseMatrix CountArcs(const GraphView& view,
                       std::initializer_list<Direction> directions) {
  SparseMatrix matrix;
  matrix.row_start.reserve(view.node_count() + 1);
  matrix.row_start.push_back(0);
  std::vector<NodeId> row;
  for (NodeId node = 0; node < view.node_count(); ++node) {
    row.clear();
    for (const Direction direction : directions) {
      const ArcSpan arcs = view.snapshot().Arcs(node, direction);
      for (size_t i = 0; i < arcs.size(); ++i) {
        const Arc arc{arcs.neighbors[i], arcs.relations[i], direction};
        if (view.IsVisible(node, arc)) row.push_back(arc.neighbor);
      }
    }
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i < row.size();) {
      size_t end = i;
      while (end < row.size() && row[end] == row[i]) ++end;
      matrix.columns.push_back(row[i]);
      matrix.values.push_back(static_cast<float>(end - i));
      i = end;
    }
    matrix.row_start.push_back(matrix.columns.size());
  }
  return matrix;
}

// (row sum + offset)^-1/2.
std::vector<float> RowScales(const SparseMatrix& matrix, double offset) {
  std::vector<float> scales(matrix.rows());
  for (size_t row = 0; row < matrix.rows(); ++row) {
    const double sum = std::accumulate(
        matrix.values.begin() + matrix.row_start[row],
        matrix.values.begin() + matrix.row_start[row + 1], offset);
    scales[row] = sum > 0 ? static_cast<float>(1 / std::sqrt(sum)) : 0;
  }
  return scales;
}

void Scale(const std::vector<float>& row_scales,
           const std::vector<float>& column_scales, SparseMatrix* matrix) {
  for (size_t row = 0; row < matrix->rows(); ++row) {
    for (uint64_t i = matrix->row_start[row]; i < matrix->row_start[row + 1];
         ++i) {
      matrix->values[i] *= row_scales[row] * column_scales[matrix->columns[i]];
    }
  }
}

int SearchedColumns(const SpectralFactorOptions& options) {
  const int columns = options.rank + options.oversampling;
  return (columns + kTallMatrixLanes - 1) / kTallMatrixLanes * kTallMatrixLanes;
}

// The positions of `values`, the largest magnitude first.
std::vector<int> LargestFirst(const std::vector<double>& values) {
  std::vector<int> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(values[a]) > std::abs(values[b]);
  });
  return order;
}

// Column i of the result is column order[i] of `vectors` times scales[i], or
// zero from scales.size() on.
SquareMatrix PickColumns(const SquareMatrix& vectors,
                         const std::vector<int>& order,
                         const std::vector<double>& scales) {
  SquareMatrix picked(vectors.size);
  for (int i = 0; i < static_cast<int>(scales.size()); ++i) {
    for (int k = 0; k < vectors.size; ++k) {
      picked(k, i) = vectors(k, order[i]) * scales[i];
    }
  }
  return picked;
}

std::vector<float> FirstColumns(const TallMatrix& matrix, int rank) {
  std::vector<float> columns(matrix.rows() * rank);
  for (size_t row = 0; row < matrix.rows(); ++row) {
    std::copy(matrix.Row(row), matrix.Row(row) + rank,
              columns.begin() + row * rank);
  }
  return columns;
}

void FactorDirected(const GraphView& view, const SpectralFactorOptions& options,
                    int threads, SpectralFactors& factors) {
  SparseMatrix matrix = CountArcs(view, {Direction::kOut});
  SparseMatrix transpose = CountArcs(view, {Direction::kIn});
  const auto out_scales = RowScales(matrix, options.degree_offset);
  const auto in_scales = RowScales(transpose, options.degree_offset);
  Scale(out_scales, in_scales, &matrix);
  Scale(in_scales, out_scales, &transpose);

  const int columns = SearchedColumns(options);
  TallMatrix in = RandomMatrix(factors.nodes, columns,
                               CombineHash(options.seed, 1), threads);
  TallMatrix out(factors.nodes, columns);
  for (int i = 0; i <= options.power_iterations; ++i) {
    const bool is_last = i == options.power_iterations;
    Multiply(matrix, in, threads, &out);
    is_last ? Orthonormalize(threads, &out)
            : OrthonormalizeRoughly(threads, &out);
    Multiply(transpose, out, threads, &in);
    if (!is_last) OrthonormalizeRoughly(threads, &in);
  }
  // Let A be `matrix` and Q be `out`, which is orthonormal now; in^T = Q^T A.
  // With in^T in = W S^2 W^T, it follows that A ~ (Q W) S (in W S^-1)^T.
  const SymmetricEigen eigen =
      DecomposeSymmetric(CrossProduct(in, in, threads));
  const std::vector<int> order = LargestFirst(eigen.values);
  const double largest = std::sqrt(std::max(0.0, eigen.values[order[0]]));
  std::vector<double> kept(options.rank), inverse(options.rank);
  for (int i = 0; i < options.rank; ++i) {
    const double value = std::sqrt(std::max(0.0, eigen.values[order[i]]));
    if (value <= kNegligible * largest) break;
    factors.singular_values[i] = static_cast<float>(value);
    kept[i] = 1;
    inverse[i] = 1 / value;
  }
  MultiplyRight(PickColumns(eigen.vectors, order, kept), threads, &out);
  MultiplyRight(PickColumns(eigen.vectors, order, inverse), threads, &in);
  factors.out_vectors = FirstColumns(out, options.rank);
  factors.in_vectors = FirstColumns(in, options.rank);
}

void FactorSymmetric(const GraphView& view,
                     const SpectralFactorOptions& options, int threads,
                     SpectralFactors& factors) {
  SparseMatrix matrix = CountArcs(view, {Direction::kOut, Direction::kIn});
  const auto scales = RowScales(matrix, options.degree_offset);
  Scale(scales, scales, &matrix);

  const int columns = SearchedColumns(options);
  TallMatrix basis = RandomMatrix(factors.nodes, columns,
                                  CombineHash(options.seed, 2), threads);
  TallMatrix image(factors.nodes, columns);
  for (int i = 0; i <= 2 * options.power_iterations; ++i) {
    Multiply(matrix, basis, threads, &image);
    std::swap(basis, image);
    OrthonormalizeRoughly(threads, &basis);
  }
  // The second pass of Orthonormalize().
  OrthonormalizeRoughly(threads, &basis);
  Multiply(matrix, basis, threads, &image);
  const SymmetricEigen eigen =
      DecomposeSymmetric(CrossProduct(basis, image, threads));
  const std::vector<int> order = LargestFirst(eigen.values);
  std::vector<double> kept(options.rank);
  for (int i = 0; i < options.rank; ++i) {
    const double value = eigen.values[order[i]];
    if (std::abs(value) <= kNegligible * std::abs(eigen.values[order[0]])) {
      break;
    }
    factors.eigenvalues[i] = static_cast<float>(value);
    kept[i] = 1;
  }
  MultiplyRight(PickColumns(eigen.vectors, order, kept), threads, &basis);
  factors.symmetric_vectors = FirstColumns(basis, options.rank);
}

}  // namespace

absl::Status SpectralFactorOptions::Validate() const {
  const RangedNumber numbers[] = {
      {"rank", double(rank), 1, 1024},
      {"power_iterations", double(power_iterations), 0, 100},
      {"oversampling", double(oversampling), 0, 1024},
      {"degree_offset", degree_offset, 0, 1e6},
      {"threads", double(threads), 0, 1024},
  };
  return CheckRanges("spectral ", numbers);
}

absl::StatusOr<SpectralFactors> ComputeSpectralFactors(
    const GraphView& view, const SpectralFactorOptions& options) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  const int threads = options.threads > 0 ? options.threads : ProcessorCount();
  SpectralFactors factors;
  factors.nodes = view.node_count();
  factors.rank = options.rank;
  factors.singular_values.resize(options.rank);
  factors.eigenvalues.resize(options.rank);
  FactorDirected(view, options, threads, factors);
  FactorSymmetric(view, options, threads, factors);
  return factors;
}

}  // namespace slice
