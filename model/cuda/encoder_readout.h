// The steps of the paper's dot product (section 3.4): the readout, which is
// what the dot product reads of the layers, and its projection. See
// model/cuda/encoder_program.h for `Block`.
#ifndef SLICE_MODEL_CUDA_ENCODER_READOUT_H_
#define SLICE_MODEL_CUDA_ENCODER_READOUT_H_

#include "model/cuda/encoder_program.h"
#include "model/cuda/encoder_scorers.h"

namespace slice {

// Copies the source and target token of every row to the readout, to the
// columns from `at` on. With `add`, adds them to these columns instead.
template <typename Block>
SLICE_HOST_DEVICE void KeepEnds(const EncoderGroup<Block>& g, int at,
                                bool add) {
  const int dim = g.arrays.dim;
  const int stride = ReadoutSize(g.arrays);
  const float* x = g.scratch + g.at.x;
  float* readout = g.scratch + g.at.readout + at;
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.rows * 2 * dim;
         item += thread.count) {
      const int end = item / dim;  // two per row
      const int i = item % dim;
      const RowTokens tokens =
          TokensOf(g.in, g.rows, g.rows.first_row + end / 2);
      const float value =
          tokens.count == 0
              ? 0
              : x[static_cast<int64_t>(tokens.first + end % 2) * dim + i];
      float* to = readout + static_cast<int64_t>(end) * stride + i;
      *to = add ? *to + value : value;
    }
  });
}

// Copies what the dot product reads of the output of layer `index`.
template <typename Block>
SLICE_HOST_DEVICE void KeepLayer(const EncoderGroup<Block>& g, int index) {
  const int place = index + g.arrays.layers_read - g.arrays.layers;
  if (!g.arrays.dot || g.arrays.reads_output || place < 0) return;
  if (g.arrays.sums_layers) {
    KeepEnds(g, 0, /*add=*/place > 0);
  } else {
    KeepEnds(g, place * g.arrays.dim, /*add=*/false);
  }
}

// Adds the dot product of the projected readouts of the two ends to both logits
// of the context scorer.
template <typename Block>
SLICE_HOST_DEVICE void ScoreDot(const EncoderGroup<Block>& g) {
  const EncoderArrays& a = g.arrays;
  const int ends = 2 * g.rows.rows;
  const float* z = g.scratch + g.at.readout;
  int size = ReadoutSize(a);
  if (a.projections > 0) {
    float* to = g.scratch + g.at.work;
    Product(g.block,
            {g.in.weights,
             a.project1,
             {z, size, ends},
             {to, a.project1.out},
             /*add=*/false,
             a.projections > 1 ? Activation::kRelu : Activation::kNone});
    z = to;
    size = a.project1.out;
  }
  if (a.projections > 1) {
    float* to =
        g.scratch + g.at.work + static_cast<int64_t>(ends) * a.project1.out;
    Product(g.block,
            {g.in.weights, a.project2, {z, size, ends}, {to, a.project2.out}});
    z = to;
    size = a.project2.out;
  }
  float* logits = g.scratch + g.at.answers + kContextColumn;
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.rows * 2;
         item += thread.count) {
      const float* u = z + static_cast<int64_t>(item / 2) * 2 * size;
      float sum = 0;
      for (int i = 0; i < size; ++i) sum += u[i] * u[size + i];
      logits[item / 2 * kEncoderOutputs + item % 2] += sum;
    }
  });
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_READOUT_H_
