// Groups: the rows that a thread block of the encoder kernel works on together.
// Scratch: the memory that the block works in.
#ifndef SLICE_MODEL_CUDA_ENCODER_GROUP_H_
#define SLICE_MODEL_CUDA_ENCODER_GROUP_H_

#include "model/cuda/encoder_arrays.h"

namespace slice {

// Neighbouring rows whose tokens are multiplied together, so that each weight
// is read once for all of them.
struct RowGroup {
  int first_row = 0;
  int rows = 0;
  int first_token = 0;
  int tokens = 0;
};

// The `index`-th group, if each group has `rows` rows; the last may have fewer.
SLICE_HOST_DEVICE inline RowGroup GroupOf(const EncoderInputs& in, int index,
                                          int rows) {
  RowGroup group;
  group.first_row = index * rows;
  const int end = group.first_row + rows;
  const int last = end < in.rows ? end : in.rows;
  group.rows = last - group.first_row;
  group.first_token = in.row_first[group.first_row];
  group.tokens = in.row_first[last] - group.first_token;
  return group;
}

// Which tokens of a group belong to one row: [first, first + count).
struct RowTokens {
  int first = 0;
  int count = 0;
};
SLICE_HOST_DEVICE inline RowTokens TokensOf(const EncoderInputs& in,
                                            const RowGroup& group, int row) {
  return {in.row_first[row] - group.first_token,
          in.row_first[row + 1] - in.row_first[row]};
}

SLICE_HOST_DEVICE inline int64_t Larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

// The distance between rows of `floats` floats that all begin at a quad.
SLICE_HOST_DEVICE inline int QuadStride(int floats) {
  return (floats + kQuad - 1) / kQuad * kQuad;
}

// The distance between the parts (query, key and value) of one token and those
// of the next. The extra quad spreads the keys that neighbouring threads read
// over the banks of shared memory.
SLICE_HOST_DEVICE inline int PartsStride(const EncoderArrays& arrays) {
  return QuadStride(3 * arrays.heads * arrays.head_dim) + kQuad;
}

// How many rows of structural scores a block computes at once.
inline constexpr int kStructuralRows = 16;

// Where each array begins in the scratch memory of a block, in floats.
struct EncoderScratch {
  int64_t x = 0;        // [tokens, dim], the tokens between two layers
  int64_t normal = 0;   // [tokens, dim], the tokens after a layer norm
  int64_t partial = 0;  // [rows or tokens, kNormLanes], of a layer norm
  int64_t squares = 0;  // like `partial`
  int64_t readout = 0;  // [2 rows, ReadoutSize], input of the dot product
  int64_t answers = 0;  // [rows, kEncoderOutputs], the logits
  int64_t work = 0;     // used in turn by token embedding, layers, scorers
  int64_t floats = 0;   // the size of the scratch memory
};

// Floats of a row of the readout: what the dot product reads of one end token.
SLICE_HOST_DEVICE inline int ReadoutSize(const EncoderArrays& arrays) {
  return arrays.reads_output || arrays.sums_layers
             ? arrays.dim
             : arrays.dim * arrays.layers_read;
}

// Floats of `work` that the structural scorer needs for `rows` rows.
SLICE_HOST_DEVICE inline int64_t StructuralWork(const EncoderArrays& arrays,
                                                int rows) {
  return int64_t{rows} * (QuadStride(arrays.pair_features) +
                          2 * arrays.structural1.product.out);
}

// Floats of scratch memory that RunStructuralGroup needs.
SLICE_HOST_DEVICE inline int64_t StructuralScratch(
    const EncoderArrays& arrays) {
  return StructuralWork(arrays, kStructuralRows) +
         int64_t{2} * kStructuralRows * kNormLanes;
}

// Floats of `work` that the scorers need for `rows` rows.
SLICE_HOST_DEVICE inline int64_t ScorerWork(const EncoderArrays& arrays,
                                            int rows) {
  const int64_t pair =
      rows * (int64_t{4} * arrays.dim +
              Larger(arrays.head1.product.out, arrays.ends1.product.out));
  const int64_t dot =
      int64_t{2} * rows * (arrays.project1.out + arrays.project2.out);
  return Larger(StructuralWork(arrays, rows), Larger(pair, dot));
}

// The scratch memory for groups of at most `rows` rows, each of at most `width`
// tokens.
SLICE_HOST_DEVICE inline EncoderScratch ScratchOf(const EncoderArrays& arrays,
                                                  int rows, int width) {
  const int64_t tokens = static_cast<int64_t>(rows) * width;
  const LayerArrays& layer = arrays.layer[0];
  const int64_t gathered =
      tokens * QuadStride(arrays.embedding_dim + arrays.token_features);
  const int64_t attention =
      tokens * (PartsStride(arrays) + arrays.heads * width);
  const int64_t feed_forward = tokens * layer.feed_forward1.out;
  EncoderScratch scratch;
  scratch.normal = tokens * arrays.dim;
  scratch.partial = scratch.normal + tokens * arrays.dim;
  scratch.squares = scratch.partial + tokens * kNormLanes;
  scratch.readout = scratch.squares + tokens * kNormLanes;
  scratch.answers = scratch.readout +
                    (arrays.dot ? int64_t{2} * rows * ReadoutSize(arrays) : 0);
  scratch.work = scratch.answers + QuadStride(kEncoderOutputs * rows);
  int64_t work = Larger(gathered, ScorerWork(arrays, rows));
  if (arrays.layers > 0) work = Larger(work, Larger(attention, feed_forward));
  scratch.floats = scratch.work + work;
  return scratch;
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_GROUP_H_
