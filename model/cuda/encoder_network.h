// The whole program of the encoder kernel: its steps in order. See
// model/cuda/encoder_program.h for `Block`.
#ifndef SLICE_MODEL_CUDA_ENCODER_NETWORK_H_
#define SLICE_MODEL_CUDA_ENCODER_NETWORK_H_

#include "model/cuda/encoder_cosines.h"
#include "model/cuda/encoder_readout.h"
#include "model/cuda/encoder_scorers.h"

namespace slice {

// Writes the logits of one group of rows, and its attention and cosines unless
// g.out.attention is null. Does nothing for a group without tokens.
template <typename Block>
SLICE_HOST_DEVICE void RunEncoder(const EncoderGroup<Block>& g) {
  const EncoderArrays& a = g.arrays;
  if (g.rows.tokens == 0) return;
  StartLogits(g);
  EmbedTokens(g);
  KeepCosines(g, 0);
  if (!a.dot) ScorePair(g, a.ends1, a.ends2, kEndsColumn);
  for (int layer = 0; layer < a.layers; ++layer) {
    RunLayer(g, layer);
    KeepLayer(g, layer);
    KeepCosines(g, layer + 1);
  }
  if (a.pre_norm && a.layers > 0) {
    NormalizeTokens(g, a.final_norm, g.scratch + g.at.x);
  }
  if (a.dot) {
    if (a.reads_output) KeepEnds(g, 0, /*add=*/false);
    ScoreDot(g);
  } else {
    ScorePair(g, a.head1, a.head2, kContextColumn);
  }
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.rows * kEncoderOutputs;
         item += thread.count) {
      g.out.logits[static_cast<int64_t>(g.rows.first_row) * kEncoderOutputs +
                   item] = g.scratch[g.at.answers + item];
    }
  });
}

// Runs the encoder on the `index`-th group of `rows` rows of a call. `scratch`,
// the memory that it works in, is [ScratchOf(call.arrays, rows,
// call.in.width).floats].
template <typename Block>
SLICE_HOST_DEVICE void RunEncoderGroup(const Block& block,
                                       const EncoderCall& call, int index,
                                       int rows, float* scratch) {
  RunEncoder(EncoderGroup<Block>{
      block, call.arrays, call.in, call.out, GroupOf(call.in, index, rows),
      ScratchOf(call.arrays, rows, call.in.width), scratch});
}

// Writes the structural logits of the `index`-th group of kStructuralRows rows
// of a call. `scratch` is [StructuralScratch(call.arrays)].
template <typename Block>
SLICE_HOST_DEVICE void RunStructuralGroup(const Block& block,
                                          const StructuralCall& call, int index,
                                          float* scratch) {
  const int first = index * kStructuralRows;
  const int left = call.in.rows - first;
  StructuralInputs in = call.in;
  in.rows = left < kStructuralRows ? left : kStructuralRows;
  in.relation += first;
  in.pair_features += static_cast<int64_t>(first) * call.arrays.pair_features;
  float* squares = scratch + kStructuralRows * kNormLanes;
  ScoreStructural(block, call.arrays, in,
                  {scratch, squares, squares + kStructuralRows * kNormLanes},
                  {call.logits + static_cast<int64_t>(first) * 2, 2});
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_NETWORK_H_
