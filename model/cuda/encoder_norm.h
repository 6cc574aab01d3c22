// The steps of a layer norm. As in model/cuda/encoder_phases.h, the function of
// a step does the work of one thread.
#ifndef SLICE_MODEL_CUDA_ENCODER_NORM_H_
#define SLICE_MODEL_CUDA_ENCODER_NORM_H_

#include <math.h>

#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_phases.h"

namespace slice {

// Layer normalisation of each row in three steps, SumRows, SumSquares and
// ApplyNorm: to = (x - mean) / sqrt(variance + 1e-5) * gain + shift.
struct NormStep {
  const float* weights;  // the array that the places in `norm` index
  NormArrays norm;
  const float* x;  // [rows, size]
  int rows;
  int size;
  float* partial;  // [rows, kNormLanes], written by SumRows
  float* squares;  // [rows, kNormLanes], written by SumSquares
  float* to;       // [rows, size]; may be `x`
};

// partial[row, lane] = the sum of every kNormLanes-th float of the row.
SLICE_HOST_DEVICE inline void SumRows(BlockThread thread,
                                      const NormStep& step) {
  const int size = step.size;
  for (int item = thread.index; item < step.rows * kNormLanes;
       item += thread.count) {
    const float* of_row =
        step.x + static_cast<int64_t>(item / kNormLanes) * size;
    float sum = 0;
    for (int i = item % kNormLanes; i < size; i += kNormLanes) sum += of_row[i];
    step.partial[item] = sum;
  }
}

// The sum of the kNormLanes numbers of a row, divided by `size`.
SLICE_HOST_DEVICE inline float MeanOfLanes(const float* partial, int row,
                                           int size) {
  float sum = 0;
  for (int i = 0; i < kNormLanes; ++i) sum += partial[row * kNormLanes + i];
  return sum / static_cast<float>(size);
}

// squares[row, lane] = the sum of (x - mean)^2 over the floats that SumRows
// sums for the same lane.
SLICE_HOST_DEVICE inline void SumSquares(BlockThread thread,
                                         const NormStep& step) {
  const int size = step.size;
  for (int item = thread.index; item < step.rows * kNormLanes;
       item += thread.count) {
    const int row = item / kNormLanes;
    const float mean = MeanOfLanes(step.partial, row, size);
    const float* of_row = step.x + static_cast<int64_t>(row) * size;
    float sum = 0;
    for (int i = item % kNormLanes; i < size; i += kNormLanes) {
      sum += (of_row[i] - mean) * (of_row[i] - mean);
    }
    step.squares[item] = sum;
  }
}

SLICE_HOST_DEVICE inline void ApplyNorm(BlockThread thread,
                                        const NormStep& step) {
  const int size = step.size;
  const float* gain = step.weights + step.norm.gain;
  const float* shift = step.weights + step.norm.shift;
  for (int item = thread.index; item < step.rows * kNormLanes;
       item += thread.count) {
    const int row = item / kNormLanes;
    const float mean = MeanOfLanes(step.partial, row, size);
    const float scale = 1 / sqrtf(MeanOfLanes(step.squares, row, size) + 1e-5f);
    const int64_t begin = static_cast<int64_t>(row) * size;
    for (int i = item % kNormLanes; i < size; i += kNormLanes) {
      step.to[begin + i] =
          (step.x[begin + i] - mean) * scale * gain[i] + shift[i];
    }
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_NORM_H_
