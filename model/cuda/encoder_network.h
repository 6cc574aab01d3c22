// The whole of the encoder kernel's program. See encoder_program.h for `Block`.
#ifndef SLICE_MODEL_CUDA_ENCODER_NETWORK_H_
#define SLICE_MODEL_CUDA_ENCODER_NETWORK_H_

#include "model/cuda/encoder_readout.h"
#include "model/cuda/encoder_scorers.h"

namespace slice {

// The logits, and where asked for the attention, of one group of rows. Does
// nothing for a group without tokens.
template <typename Block>
SLICE_HOST_DEVICE void RunEncoder(const EncoderGroup<Block>& g) {
  const EncoderArrays& a = g.arrays;
  if (g.rows.tokens == 0) return;
  StartLogits(g);
  EmbedTokens(g);
  if (!a.dot) ScorePair(g, a.ends1, a.ends2, kEndsColumn);
  for (int layer = 0; layer < a.layers; ++layer) {
    RunLayer(g, layer);
    KeepLayer(g, layer);
  }
  if (a.pre_norm && a.layers > 0) {
    float* x = g.scratch + g.at.x;
    Normalize(g.block, g.in.weights, a.final_norm, x, g.rows.tokens, a.dim,
              g.scratch + g.at.partial, g.scratch + g.at.squares, x);
  }
  if (a.dot) {
    if (a.reads_output) KeepEnds(g, 0, /*add=*/false);
    ScoreDot(g);
  } else {
    ScorePair(g, a.head1, a.head2, kContextColumn);
  }
  g.block.Run([&](int thread, int threads) {
    for (int item = thread; item < g.rows.rows * kEncoderOutputs;
         item += threads) {
      g.out.logits[static_cast<int64_t>(g.rows.first_row) * kEncoderOutputs +
                   item] = g.scratch[g.at.answers + item];
    }
  });
}

// The block's `index`-th group of `rows` rows, in `scratch`
// [ScratchOf(arrays, rows, in.width).floats].
template <typename Block>
SLICE_HOST_DEVICE void RunEncoderGroup(const Block& block,
                                       const EncoderArrays& arrays,
                                       const EncoderInputs& in,
                                       const EncoderOutputs& out, int index,
                                       int rows, float* scratch) {
  RunEncoder(EncoderGroup<Block>{block, arrays, in, out,
                                 GroupOf(in, index, rows),
                                 ScratchOf(arrays, rows, in.width), scratch});
}

// logits[row, 0..1] of the `index`-th kStructuralRows rows.
template <typename Block>
SLICE_HOST_DEVICE void RunStructuralGroup(const Block& block,
                                          const EncoderArrays& arrays,
                                          const StructuralInputs& all,
                                          float* logits, int index,
                                          float* scratch) {
  const int first = index * kStructuralRows;
  StructuralInputs in = all;
  in.rows =
      all.rows - first < kStructuralRows ? all.rows - first : kStructuralRows;
  in.relation += first;
  in.pair_features += static_cast<int64_t>(first) * arrays.pair_features;
  float* squares = scratch + kStructuralRows * kNormLanes;
  ScoreStructural(block, arrays, in, scratch, squares,
                  squares + kStructuralRows * kNormLanes,
                  logits + static_cast<int64_t>(first) * 2, 2);
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_NETWORK_H_
