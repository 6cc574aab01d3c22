// The first half of the encoder kernel's program: the order of its steps, from
// token ids to encoded tokens, for one group (the rows that a thread block
// works on together). A `Block` runs a step on all its threads, which then wait
// for each other: block.Run(step) calls step(BlockThread) on every thread.
#ifndef SLICE_MODEL_CUDA_ENCODER_PROGRAM_H_
#define SLICE_MODEL_CUDA_ENCODER_PROGRAM_H_

#include "model/cuda/encoder_attention.h"
#include "model/cuda/encoder_group.h"
#include "model/cuda/encoder_norm.h"
#include "model/cuda/encoder_phases.h"
#include "model/cuda/encoder_product.h"

namespace slice {

// What the steps of one group share.
template <typename Block>
struct EncoderGroup {
  const Block& block;
  const EncoderArrays& arrays;
  const EncoderInputs& in;
  const EncoderOutputs& out;
  RowGroup rows;
  EncoderScratch at;  // where each array is in `scratch`
  float* scratch;     // [at.floats], the memory that the group works in
};

template <typename Block>
SLICE_HOST_DEVICE void Product(const Block& block, const ProductStep& step) {
  block.Run([&](BlockThread thread) { Multiply(thread, step); });
}

template <typename Block>
SLICE_HOST_DEVICE void Normalize(const Block& block, const NormStep& step) {
  block.Run([&](BlockThread thread) { SumRows(thread, step); });
  block.Run([&](BlockThread thread) { SumSquares(thread, step); });
  block.Run([&](BlockThread thread) { ApplyNorm(thread, step); });
}

// Normalises the tokens of a group, x [tokens, dim], and writes them to `to`.
template <typename Block>
SLICE_HOST_DEVICE void NormalizeTokens(const EncoderGroup<Block>& g,
                                       const NormArrays& norm, float* to) {
  Normalize(g.block, {g.in.weights, norm, g.scratch + g.at.x, g.rows.tokens,
                      g.arrays.dim, g.scratch + g.at.partial,
                      g.scratch + g.at.squares, to});
}

// x = H^0, the token embeddings.
template <typename Block>
SLICE_HOST_DEVICE void EmbedTokens(const EncoderGroup<Block>& g) {
  const EncoderArrays& a = g.arrays;
  const EncoderInputs& in = g.in;
  const int size = a.embed.in;
  const int stride = QuadStride(size);
  float* gathered = g.scratch + g.at.work;
  float* x = g.scratch + g.at.x;
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.tokens * size;
         item += thread.count) {
      const int64_t token = g.rows.first_token + item / size;
      const int i = item % size;
      const uint32_t node = in.nodes[token];
      float& to = gathered[static_cast<int64_t>(item / size) * stride + i];
      if (i >= a.embedding_dim) {
        to = in.token_features[token * a.token_features + i - a.embedding_dim];
      } else if (node == UINT32_MAX) {
        to = 0;
      } else {
        to = in.embeddings[static_cast<int64_t>(node) * a.embedding_dim + i];
      }
    }
  });
  Product(g.block,
          {in.weights, a.embed, {gathered, stride, g.rows.tokens}, {x, a.dim}});
  g.block.Run([&](BlockThread thread) {
    for (int item = thread.index; item < g.rows.tokens * a.dim;
         item += thread.count) {
      const int64_t token = g.rows.first_token + item / a.dim;
      const int i = item % a.dim;
      const int64_t queried = in.relation[in.token_row[token]];
      const auto row = [&](int64_t table, int64_t index) {
        return in.weights[table + index * a.dim + i];
      };
      float sum = x[item] + row(a.kind_roles, in.kind_roles[token]);
      for (int place = 0; place < 3; ++place) {
        sum += row(a.token_rows, in.token_relations[token * 3 + place]);
      }
      x[item] = sum * row(a.scale, queried) + row(a.shift, queried);
    }
  });
}

// Replaces x = H^index by H^(index + 1): one contextual translation layer.
template <typename Block>
SLICE_HOST_DEVICE void RunLayer(const EncoderGroup<Block>& g, int index) {
  const EncoderArrays& a = g.arrays;
  const LayerArrays& layer = a.layer[index];
  const int tokens = g.rows.tokens;
  const int parts = PartsStride(a);
  float* x = g.scratch + g.at.x;
  float* work = g.scratch + g.at.work;
  float* scores = work + static_cast<int64_t>(tokens) * parts;
  float* from = a.pre_norm ? g.scratch + g.at.normal : x;
  if (a.pre_norm) NormalizeTokens(g, layer.norm1, from);
  Product(
      g.block,
      {g.in.weights, layer.projections, {from, a.dim, tokens}, {work, parts}});
  float* attention = g.out.attention == nullptr
                         ? nullptr
                         : g.out.attention + static_cast<int64_t>(index) *
                                                 a.heads * g.in.rows *
                                                 g.in.width * g.in.width;
  const AttentionStep step = {a, layer, g.in, g.rows, work, scores, attention};
  g.block.Run([&](BlockThread thread) { ScorePairs(thread, step); });
  g.block.Run([&](BlockThread thread) { Softmax(thread, step); });
  g.block.Run([&](BlockThread thread) { Attend(thread, step); });
  Product(g.block, {g.in.weights,
                    layer.out,
                    {work, parts, tokens},
                    {x, a.dim},
                    /*add=*/true});
  NormalizeTokens(g, a.pre_norm ? layer.norm2 : layer.norm1, from);
  Product(g.block, {g.in.weights,
                    layer.feed_forward1,
                    {from, a.dim, tokens},
                    {work, layer.feed_forward1.out},
                    /*add=*/false,
                    Activation::kGelu});
  Product(g.block, {g.in.weights,
                    layer.feed_forward2,
                    {work, layer.feed_forward1.out, tokens},
                    {x, a.dim},
                    /*add=*/true});
  if (!a.pre_norm) NormalizeTokens(g, layer.norm2, x);
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PROGRAM_H_
