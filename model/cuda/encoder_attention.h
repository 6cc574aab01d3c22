// The steps of attention within each context of a group (the rows that a thread
// block works on together): equation 2 of the paper, with a bias by the
// relation that links two tokens. As in model/cuda/encoder_phases.h, the
// function of a step does the work of one thread.
#ifndef SLICE_MODEL_CUDA_ENCODER_ATTENTION_H_
#define SLICE_MODEL_CUDA_ENCODER_ATTENTION_H_

#include "model/cuda/encoder_group.h"
#include "model/cuda/encoder_phases.h"
#include "model/cuda/encoder_product.h"

namespace slice {

// What the three steps share. `tokens` is the number of tokens of the group.
struct AttentionStep {
  const EncoderArrays& arrays;
  const LayerArrays& layer;
  const EncoderInputs& in;
  const RowGroup& group;
  // Query (scaled), key and value of each token, each [heads, head_dim]. The
  // next token's are PartsStride floats further.
  float* parts;
  float* scores;  // [heads, tokens, width]
  // Null, or where this layer's part of EncoderOutputs::attention begins:
  // [heads, rows * width, width].
  float* attention;
};

// The dot product of two vectors of `size` floats. If `in_quads`, both begin at
// a quad.
SLICE_HOST_DEVICE inline float Dot(const float* a, const float* b, int size,
                                   bool in_quads) {
  float sum = 0;
  int i = 0;
  for (; in_quads && i + kQuad <= size; i += kQuad) {
    float of_a[kQuad], of_b[kQuad];
    ReadFloats<kQuad>(a + i, of_a);
    ReadFloats<kQuad>(b + i, of_b);
    for (int k = 0; k < kQuad; ++k) sum += of_a[k] * of_b[k];
  }
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

// scores = query . key + bias of the pair of tokens, for the pairs within a
// row.
SLICE_HOST_DEVICE inline void ScorePairs(BlockThread thread,
                                         const AttentionStep& step) {
  const EncoderArrays& arrays = step.arrays;
  const EncoderInputs& in = step.in;
  const RowGroup& group = step.group;
  const int across = arrays.heads * arrays.head_dim;
  const int stride = PartsStride(arrays);
  const bool in_quads =
      InQuads(step.parts, stride) && arrays.head_dim % kQuad == 0;
  for (int item = thread.index; item < arrays.heads * group.tokens * in.width;
       item += thread.count) {
    const int to = item % in.width;
    const int token = item / in.width % group.tokens;
    const int head = item / in.width / group.tokens;
    const int64_t packed = group.first_token + token;
    const RowTokens row = TokensOf(in, group, in.token_row[packed]);
    if (to >= row.count) continue;
    const float* query = step.parts + static_cast<int64_t>(token) * stride +
                         head * arrays.head_dim;
    const float* key = step.parts +
                       static_cast<int64_t>(row.first + to) * stride + across +
                       head * arrays.head_dim;
    const int64_t pair = in.pair_relations[packed * in.width + to];
    step.scores[item] =
        Dot(query, key, arrays.head_dim, in_quads) +
        in.weights[step.layer.edge_bias + pair * arrays.heads + head];
  }
}

// scores = softmax(scores) over the tokens of the row. Also writes them to
// `attention`, unless that is null.
SLICE_HOST_DEVICE inline void Softmax(BlockThread thread,
                                      const AttentionStep& step) {
  const EncoderInputs& in = step.in;
  const RowGroup& group = step.group;
  for (int item = thread.index; item < step.arrays.heads * group.tokens;
       item += thread.count) {
    const int token = item % group.tokens;
    const int64_t packed = group.first_token + token;
    const int count = TokensOf(in, group, in.token_row[packed]).count;
    float* of_token = step.scores + static_cast<int64_t>(item) * in.width;
    float largest = of_token[0];
    for (int i = 1; i < count; ++i) {
      largest = of_token[i] > largest ? of_token[i] : largest;
    }
    float sum = 0;
    for (int i = 0; i < count; ++i) {
      of_token[i] = expf(of_token[i] - largest);
      sum += of_token[i];
    }
    for (int i = 0; i < count; ++i) of_token[i] /= sum;
    if (step.attention == nullptr) continue;
    const int64_t head = item / group.tokens;
    float* to =
        step.attention + (head * in.rows * in.width + packed) * in.width;
    for (int i = 0; i < count; ++i) to[i] = of_token[i];
  }
}

// Overwrites the query of each token in `parts` with scores . value.
SLICE_HOST_DEVICE inline void Attend(BlockThread thread,
                                     const AttentionStep& step) {
  const EncoderArrays& arrays = step.arrays;
  const EncoderInputs& in = step.in;
  const RowGroup& group = step.group;
  const int across = arrays.heads * arrays.head_dim;
  const int stride = PartsStride(arrays);
  for (int item = thread.index; item < group.tokens * across;
       item += thread.count) {
    const int token = item / across;
    const int column = item % across;
    const int head = column / arrays.head_dim;
    const RowTokens row =
        TokensOf(in, group, in.token_row[group.first_token + token]);
    const float* weight =
        step.scores +
        (static_cast<int64_t>(head) * group.tokens + token) * in.width;
    const float* value = step.parts + static_cast<int64_t>(row.first) * stride +
                         2 * across + column;
    float sum = 0;
    for (int i = 0; i < row.count; ++i) {
      sum += weight[i] * value[static_cast<int64_t>(i) * stride];
    }
    step.parts[static_cast<int64_t>(token) * stride + column] = sum;
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_ATTENTION_H_
