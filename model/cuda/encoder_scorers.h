// The second half of the encoder kernel's program: from tokens to the logits of
// the three scorers. See encoder_program.h for `Block`.
#ifndef SLICE_MODEL_CUDA_ENCODER_SCORERS_H_
#define SLICE_MODEL_CUDA_ENCODER_SCORERS_H_

#include "model/cuda/encoder_program.h"

namespace slice {

// Columns of the outputs where a scorer's two logits begin.
inline constexpr int kContextColumn = 0;
inline constexpr int kEndsColumn = 2;
inline constexpr int kStructuralColumn = 4;

// to[row, 0..1] = the structural logits; `work` has StructuralWork floats,
// `partial` and `squares` are [rows, kNormLanes].
template <typename Block>
SLICE_HOST_DEVICE void ScoreStructural(const Block& block,
                                       const EncoderArrays& a,
                                       const StructuralInputs& in,
                                       float* partial, float* squares,
                                       float* work, float* to, int to_stride) {
  if (a.pair_features == 0) {
    block.Run([&](int thread, int threads) {
      for (int item = thread; item < in.rows * 2; item += threads) {
        to[item / 2 * to_stride + item % 2] = 0;
      }
    });
    return;
  }
  const int size = a.structural1.product.out;
  float* first = work;
  float* second = work + static_cast<int64_t>(in.rows) * size;
  block.Run([&](int thread, int threads) {
    StartRows(thread, threads, in.weights, a.structural1, in.relation, in.rows,
              first);
  });
  Product(block, in.weights, a.structural1.product, in.pair_features,
          a.pair_features, in.rows, first, size, /*add=*/true,
          Activation::kGelu);
  Normalize(block, in.weights, a.structural_norm, first, in.rows, size, partial,
            squares, first);
  Product(block, in.weights, a.structural2, first, size, in.rows, second, size,
          /*add=*/false, Activation::kGelu);
  Product(block, in.weights, a.structural3, second, size, in.rows, to,
          to_stride);
}

// The structural logits of the group, in every scorer's place: the others add
// to them.
template <typename Block>
SLICE_HOST_DEVICE void StartLogits(const EncoderGroup<Block>& g) {
  float* logits = g.scratch + g.at.answers;
  StructuralInputs in;
  in.rows = g.rows.rows;
  in.weights = g.in.weights;
  in.relation = g.in.relation + g.rows.first_row;
  in.pair_features =
      g.in.pair_features +
      static_cast<int64_t>(g.rows.first_row) * g.arrays.pair_features;
  ScoreStructural(g.block, g.arrays, in, g.scratch + g.at.partial,
                  g.scratch + g.at.squares, g.scratch + g.at.work,
                  logits + kStructuralColumn, kEncoderOutputs);
  g.block.Run([&](int thread, int threads) {
    for (int item = thread; item < g.rows.rows * kStructuralColumn;
         item += threads) {
      float* of_row = logits + item / kStructuralColumn * kEncoderOutputs;
      of_row[item % kStructuralColumn] = of_row[kStructuralColumn + item % 2];
    }
  });
}

// logits += a perceptron of [u, v, u * v, mean of the tokens], the mean only
// where it reads so far.
template <typename Block>
SLICE_HOST_DEVICE void ScorePair(const EncoderGroup<Block>& g,
                                 const RelationProductArrays& first,
                                 const ProductArrays& second, int column) {
  const int dim = g.arrays.dim;
  const int in = first.product.in;
  const float* x = g.scratch + g.at.x;
  float* z = g.scratch + g.at.work;
  float* hidden = z + static_cast<int64_t>(g.rows.rows) * in;
  g.block.Run([&](int thread, int threads) {
    for (int item = thread; item < g.rows.rows * dim; item += threads) {
      const int row = item / dim;
      const int i = item % dim;
      const RowTokens tokens = TokensOf(g.in, g.rows, g.rows.first_row + row);
      const float* of_row = x + static_cast<int64_t>(tokens.first) * dim + i;
      const float u = tokens.count == 0 ? 0 : of_row[0];
      const float v = tokens.count == 0 ? 0 : of_row[dim];
      float* to = z + static_cast<int64_t>(row) * in + i;
      to[0] = u;
      to[dim] = v;
      to[2 * dim] = u * v;
      if (in == 3 * dim) continue;
      float sum = 0;
      for (int token = 0; token < tokens.count; ++token) {
        sum += of_row[static_cast<int64_t>(token) * dim];
      }
      to[3 * dim] =
          tokens.count == 0 ? 0 : sum / static_cast<float>(tokens.count);
    }
  });
  g.block.Run([&](int thread, int threads) {
    StartRows(thread, threads, g.in.weights, first,
              g.in.relation + g.rows.first_row, g.rows.rows, hidden);
  });
  Product(g.block, g.in.weights, first.product, z, in, g.rows.rows, hidden,
          first.product.out, /*add=*/true, Activation::kGelu);
  Product(g.block, g.in.weights, second, hidden, first.product.out, g.rows.rows,
          g.scratch + g.at.answers + column, kEncoderOutputs, /*add=*/true);
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_SCORERS_H_
