// The second half of the encoder kernel's program: from tokens to the logits of
// the three scorers. See model/cuda/encoder_program.h for `Block`.
#ifndef SLICE_MODEL_CUDA_ENCODER_SCORERS_H_
#define SLICE_MODEL_CUDA_ENCODER_SCORERS_H_

#include "model/cuda/encoder_program.h"

namespace slice {

// The first of a scorer's two columns in the outputs.
inline constexpr int kContextColumn = 0;
inline constexpr int kEndsColumn = 2;
inline constexpr int kStructuralColumn = 4;

// Memory of the structural scorer.
struct StructuralMemory {
  float* partial;  // [rows, kNormLanes]
  float* squares;  // [rows, kNormLanes]
  float* work;     // [StructuralWork]
};

// Writes the structural logits to to[row][0..1].
template <typename Block>
SLICE_HOST_DEVICE void ScoreStructural(const Block& block,
                                       const EncoderArrays& a,
                                       const StructuralInputs& in,
                                       const StructuralMemory& memory,
                                       const TargetRows& to) {
  if (a.pair_features == 0) {
    block.Run([&](BlockThread thread) {
      for (int item = thread.index; item < in.rows * 2; item += thread.count) {
        to.first[item / 2 * to.stride + item % 2] = 0;
      }
    });
    return;
  }
  const int size = a.structural1.product.out;
  const int stride = QuadStride(a.pair_features);
  float* features = memory.work;
  float* first = features + static_cast<int64_t>(in.rows) * stride;
  float* second = first + static_cast<int64_t>(in.rows) * size;
  const StartStep start = {in.weights, a.structural1, in.relation, in.rows,
                           first};
  block.Run([&](BlockThread thread) {
    CopyPairFeatures(thread, in, a.pair_features, features);
    StartRows(thread, start);
  });
  Product(block, {in.weights,
                  a.structural1.product,
                  {features, stride, in.rows},
                  {first, size},
                  /*add=*/true,
                  Activation::kGelu});
  Normalize(block, {in.weights, a.structural_norm, first, in.rows, size,
                    memory.partial, memory.squares, first});
  Product(block, {in.weights,
                  a.structural2,
                  {first, size, in.rows},
                  {second, size},
                  /*add=*/false,
                  Activation::kGelu});
  Product(block, {in.weights, a.structural3, {second, size, in.rows}, to});
}

// Writes the structural logits of the group to the columns of every scorer. The
// other two scorers later add their own scores to them.
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
  ScoreStructural(g.block, g.arrays, in,
                  {g.scratch + g.at.partial, g.scratch + g.at.squares,
                   g.scratch + g.at.work},
                  {logits + kStructuralColumn, kEncoderOutputs});
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.rows * kStructuralColumn;
         item += thread.count) {
      float* of_row = logits + item / kStructuralColumn * kEncoderOutputs;
      of_row[item % kStructuralColumn] = of_row[kStructuralColumn + item % 2];
    }
  });
}

// Adds the outputs of a perceptron to the two columns of logits from `column`
// on. The perceptron reads [u, v, u * v, mean of the tokens, relation], or
// [u, v, u * v, relation] if its first layer has no inputs for the mean.
template <typename Block>
SLICE_HOST_DEVICE void ScorePair(const EncoderGroup<Block>& g,
                                 const RelationProductArrays& first,
                                 const ProductArrays& second, int column) {
  const int dim = g.arrays.dim;
  const int in = first.product.in;
  const float* x = g.scratch + g.at.x;
  float* z = g.scratch + g.at.work;
  float* hidden = z + static_cast<int64_t>(g.rows.rows) * in;
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.rows * dim;
         item += thread.count) {
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
  const StartStep start = {g.in.weights, first,
                           g.in.relation + g.rows.first_row, g.rows.rows,
                           hidden};
  g.block.Run([&](BlockThread thread) { StartRows(thread, start); });
  Product(g.block, {g.in.weights,
                    first.product,
                    {z, in, g.rows.rows},
                    {hidden, first.product.out},
                    /*add=*/true,
                    Activation::kGelu});
  Product(g.block, {g.in.weights,
                    second,
                    {hidden, first.product.out, g.rows.rows},
                    {g.scratch + g.at.answers + column, kEncoderOutputs},
                    /*add=*/true});
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_SCORERS_H_
