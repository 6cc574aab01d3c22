// The steps of attention within each context of a group: equation 3 of the
// paper with a bias by the relation that joins two tokens. As in
// encoder_phases.h, one thread's part of each.
//
// `parts` [tokens, 3 heads * head_dim]: query (scaled), key and value of each
// token; `scores` [heads, tokens, width].
#ifndef SLICE_MODEL_CUDA_ENCODER_ATTENTION_H_
#define SLICE_MODEL_CUDA_ENCODER_ATTENTION_H_

#include "model/cuda/encoder_group.h"
#include "model/cuda/encoder_phases.h"

namespace slice {

// scores = query . key + bias of the pair.
SLICE_HOST_DEVICE inline void ScorePairs(int thread, int threads,
                                         const EncoderArrays& arrays,
                                         const LayerArrays& layer,
                                         const EncoderInputs& in,
                                         const RowGroup& group,
                                         const float* parts, float* scores) {
  const int across = arrays.heads * arrays.head_dim;
  for (int item = thread; item < arrays.heads * group.tokens * in.width;
       item += threads) {
    const int to = item % in.width;
    const int token = item / in.width % group.tokens;
    const int head = item / in.width / group.tokens;
    const int64_t packed = group.first_token + token;
    const RowTokens row = TokensOf(in, group, in.token_row[packed]);
    if (to >= row.count) continue;
    const float* query = parts + static_cast<int64_t>(token) * 3 * across +
                         head * arrays.head_dim;
    const float* key = parts +
                       static_cast<int64_t>(row.first + to) * 3 * across +
                       across + head * arrays.head_dim;
    const int64_t pair = in.pair_relations[packed * in.width + to];
    float sum = 0;
    for (int i = 0; i < arrays.head_dim; ++i) sum += query[i] * key[i];
    scores[item] =
        sum + in.weights[layer.edge_bias + pair * arrays.heads + head];
  }
}

// scores = softmax(scores) over the tokens of the row, also written to
// `attention` [heads, rows * width, width] unless that is null.
SLICE_HOST_DEVICE inline void Softmax(int thread, int threads,
                                      const EncoderArrays& arrays,
                                      const EncoderInputs& in,
                                      const RowGroup& group, float* scores,
                                      float* attention) {
  for (int item = thread; item < arrays.heads * group.tokens; item += threads) {
    const int token = item % group.tokens;
    const int64_t packed = group.first_token + token;
    const int count = TokensOf(in, group, in.token_row[packed]).count;
    float* of_token = scores + static_cast<int64_t>(item) * in.width;
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
    if (attention == nullptr) continue;
    const int64_t head = item / group.tokens;
    float* to = attention + (head * in.rows * in.width + packed) * in.width;
    for (int i = 0; i < count; ++i) to[i] = of_token[i];
  }
}

// The query's place in `parts` = scores times the values.
SLICE_HOST_DEVICE inline void Attend(int thread, int threads,
                                     const EncoderArrays& arrays,
                                     const EncoderInputs& in,
                                     const RowGroup& group, float* parts,
                                     const float* scores) {
  const int across = arrays.heads * arrays.head_dim;
  for (int item = thread; item < group.tokens * across; item += threads) {
    const int token = item / across;
    const int column = item % across;
    const int head = column / arrays.head_dim;
    const RowTokens row =
        TokensOf(in, group, in.token_row[group.first_token + token]);
    const float* weight =
        scores + (static_cast<int64_t>(head) * group.tokens + token) * in.width;
    const float* value = parts + static_cast<int64_t>(row.first) * 3 * across +
                         2 * across + column;
    float sum = 0;
    for (int i = 0; i < row.count; ++i) {
      sum += weight[i] * value[static_cast<int64_t>(i) * 3 * across];
    }
    parts[static_cast<int64_t>(token) * 3 * across + column] = sum;
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_ATTENTION_H_
