// Low-rank factors of the visible graph, for the spectral features of pairs.
// The graph is the matrix A, where A[u, v] is the number of links from u to v
// by any relation. It is normalised by degrees as in Qin and Rohe (NeurIPS
// 2013) and in co-clustering (Rohe, Qin and Yu, PNAS 113, 2016). Then it is
// factored by randomised range finding with power iterations (Halko, Martinsson
// and Tropp, SIAM Review 53, 2011: algorithms 4.4 and 5.1, and 5.3 for the
// symmetric matrix).
//
//   GraphView view(snapshot);
//   view.HideFold(&folds, fold);  // the factors do not know this fold
//   SLICE_ASSIGN_OR_RETURN(const SpectralFactors factors,
//                          ComputeSpectralFactors(view, {.rank = 64}));
#ifndef SLICE_TRAINER_STATISTICS_SPECTRAL_FACTORS_H_
#define SLICE_TRAINER_STATISTICS_SPECTRAL_FACTORS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/spectral_vectors.h"
#include "graphstore/graph_view.h"

namespace slice {

struct SpectralFactorOptions {
  int rank = 64;
  int power_iterations = 4;
  // How many more vectors than the rank are computed. They are dropped at the
  // end, and make the kept vectors more accurate.
  int oversampling = 16;
  // Added to every degree, so that small components do not fill the spectrum.
  double degree_offset = SpectralVectors::kDegreeOffset;
  int threads = 0;  // 0: all hardware threads; the result is always the same
  uint64_t seed = 0;

  // INVALID_ARGUMENT naming the field, its value and its bounds.
  absl::Status Validate() const;
};

// The factors of both normalised matrices. There are always `rank` columns;
// when a matrix has a smaller rank, its last values and vectors are zero. A
// node without visible links has zero vectors.
struct SpectralFactors {
  size_t nodes = 0;
  int rank = 0;

  // (D_out + c)^-1/2 A (D_in + c)^-1/2 ~ U diag(singular_values) V^T, where
  // D_out and D_in are the row and column sums of A and c is the degree offset.
  std::vector<float> out_vectors;      // U [nodes, rank] float32, row-major
  std::vector<float> in_vectors;       // V [nodes, rank] float32, row-major
  std::vector<float> singular_values;  // [rank], descending

  // (D + c)^-1/2 (A + A^T) (D + c)^-1/2 ~ E diag(eigenvalues) E^T, where
  // D = D_out + D_in. A self loop counts twice, as in ArcCount.
  std::vector<float> symmetric_vectors;  // E [nodes, rank] float32, row-major
  std::vector<float> eigenvalues;        // [rank], by descending magnitude
};

// Reads the arcs that `view` shows. Memory: at most 16 bytes per link for
// sparse matrices, and three float32 matrices [nodes, rank + oversampling].
// Returns the errors of Validate().
absl::StatusOr<SpectralFactors> ComputeSpectralFactors(
    const GraphView& view, const SpectralFactorOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_SPECTRAL_FACTORS_H_
