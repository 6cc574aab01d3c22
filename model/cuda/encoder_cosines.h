// The step that says how the tokens of a group have moved: the cosines of their
// representations with those of the ends of their row.
#ifndef SLICE_MODEL_CUDA_ENCODER_COSINES_H_
#define SLICE_MODEL_CUDA_ENCODER_COSINES_H_

#include "model/cuda/encoder_program.h"

namespace slice {

// Added to squared lengths, so that a vector of zeros has cosine 0.
inline constexpr float kLeastSquare = 1e-12f;

SLICE_HOST_DEVICE inline float Cosine(const float* a, const float* b, int dim) {
  float dot = 0, square_a = kLeastSquare, square_b = kLeastSquare;
  for (int i = 0; i < dim; ++i) {
    dot += a[i] * b[i];
    square_a += a[i] * a[i];
    square_b += b[i] * b[i];
  }
  return dot / sqrtf(square_a * square_b);
}

// Writes the cosines of x = H^index, unless they are not wanted.
template <typename Block>
SLICE_HOST_DEVICE void KeepCosines(const EncoderGroup<Block>& g, int index) {
  if (g.out.cosines == nullptr) return;
  const int dim = g.arrays.dim;
  const float* x = g.scratch + g.at.x;
  float* to = g.out.cosines + static_cast<int64_t>(index) * g.in.rows *
                                  g.in.width * kCosineEnds;
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.tokens * kCosineEnds;
         item += thread.count) {
      const int token = item / kCosineEnds;
      const int64_t packed = g.rows.first_token + token;
      const RowTokens row = TokensOf(g.in, g.rows, g.in.token_row[packed]);
      const int end = row.first + item % kCosineEnds;
      to[packed * kCosineEnds + item % kCosineEnds] =
          Cosine(x + static_cast<int64_t>(token) * dim,
                 x + static_cast<int64_t>(end) * dim, dim);
    }
  });
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_COSINES_H_
