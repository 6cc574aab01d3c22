// What the encoder kernel and its CPU reference read and write: where each
// parameter is in one array of weights, and the tokens of a batch, packed
// without padding. nvcc reads this as C++17: plain numbers and pointers only.
#ifndef SLICE_MODEL_CUDA_ENCODER_ARRAYS_H_
#define SLICE_MODEL_CUDA_ENCODER_ARRAYS_H_

#include <stdint.h>

#include "model/cuda/host_device.h"

namespace slice {

inline constexpr int kMaxEncoderLayers = 8;
inline constexpr int kEncoderOutputs = 6;  // kScorers * kQuestions
inline constexpr int kCosineEnds = 2;      // source and target
inline constexpr int kNoArray = -1;
inline constexpr int kNormLanes = 16;  // threads that share a row of a norm
// A quad is this many neighbouring floats at an address that is a multiple of
// their size. A thread reads it in one access.
inline constexpr int kQuad = 4;

// The int64_t fields of the structs up to EncoderArrays are places: the index
// at which an array begins in the array of weights, or kNoArray.

// y = x W + b. The weight is [in, out], so that neighbouring threads, which
// compute neighbouring outputs, read neighbouring floats.
struct ProductArrays {
  int in = 0;
  int out = 0;
  int64_t weight = kNoArray;  // [in, out]
  int64_t bias = kNoArray;    // [out]
};

// [x, e_r] W + b with a relation embedding e_r. What e_r and b contribute is
// computed beforehand: y = x W_x + biases[relation], with the rows of W for x.
struct RelationProductArrays {
  ProductArrays product;      // has no bias of its own
  int64_t biases = kNoArray;  // [relations, out]
};

struct NormArrays {
  int64_t gain = kNoArray;   // [size]
  int64_t shift = kNoArray;  // [size]
};

struct LayerArrays {
  NormArrays norm1, norm2;
  ProductArrays projections;  // query (scaled), key and value side by side
  ProductArrays out, feed_forward1, feed_forward2;
  int64_t edge_bias = kNoArray;  // [2 relations + 1, heads]
};

// A network of model/torch/network_definition.h: its sizes, and the places of
// its parameters.
struct EncoderArrays {
  int relations = 0;
  int embedding_dim = 0;
  int token_features = 0;
  int pair_features = 0;
  int dim = 0;  // hidden_dim
  int layers = 0;
  int heads = 0;
  int head_dim = 0;
  bool pre_norm = false;
  // Whether the score head is ScoreHead::kDot (else kPair): the dot product of
  // the readouts of source and target. A readout is the token's outputs in the
  // last `layers_read` layers side by side, or their sum if `sums_layers`; with
  // `reads_output`, the token's row of the encoder's output.
  bool dot = false;
  bool reads_output = false;
  bool sums_layers = false;
  int layers_read = 0;
  int projections = 0;  // of the readout: 0, 1, or 2 with ReLU between them

  ProductArrays embed;     // of [h(node), token features]
  int64_t kind_roles = 0;  // [kinds, roles, dim], both embeddings added
  int64_t token_rows = 0;  // [3 (2 relations + 1), dim]
  int64_t scale = 0;       // [relations, dim], 1 + relation_scale
  int64_t shift = 0;       // [relations, dim]
  LayerArrays layer[kMaxEncoderLayers];
  NormArrays final_norm;

  RelationProductArrays structural1, head1, ends1;
  NormArrays structural_norm;
  ProductArrays structural2, structural3, head2, ends2;
  ProductArrays project1, project2;  // of the readout
};

// The inputs of a call. A row is one context; the tokens of all rows stand one
// after the other, without padding. Calls have fixed numbers of rows
// (model/cuda/encoder_buckets.h), so rows without tokens fill a call up.
struct EncoderInputs {
  int rows = 0;
  int width = 0;  // the most tokens that a row may have
  const float* weights = nullptr;
  const float* embeddings = nullptr;     // [nodes, embedding_dim]
  const int32_t* row_first = nullptr;    // [rows + 1], first token of a row
  const int32_t* relation = nullptr;     // [rows], of the queried link
  const float* pair_features = nullptr;  // [rows, pair_features]
  const int32_t* token_row = nullptr;    // [tokens], the row of each
  const uint32_t* nodes = nullptr;       // [tokens], kNoNode: none
  // kind_roles, token_relations and pair_relations are row numbers of the
  // tables kind_roles, token_rows and edge_bias above.
  const int32_t* kind_roles = nullptr;       // [tokens]
  const float* token_features = nullptr;     // [tokens, token_features]
  const int32_t* token_relations = nullptr;  // [tokens, 3]
  const int32_t* pair_relations = nullptr;   // [tokens, width]
};

struct EncoderOutputs {
  float* logits = nullptr;  // [rows, kEncoderOutputs], OutputNames()
  // [layers, heads, rows * width, width]. The third index is a token of the
  // call, the fourth a token of the same row. Null if no attention is wanted.
  float* attention = nullptr;
  // [layers + 1, rows * width, kCosineEnds]; null without attention.
  float* cosines = nullptr;
};

// What a call of the encoder kernel is given.
struct EncoderCall {
  EncoderArrays arrays;
  EncoderInputs in;
  EncoderOutputs out;
};

struct StructuralInputs {
  int rows = 0;
  const float* weights = nullptr;
  const int32_t* relation = nullptr;     // [rows]
  const float* pair_features = nullptr;  // [rows, pair_features]
};

// What a call of the structural scorer alone is given.
struct StructuralCall {
  EncoderArrays arrays;
  StructuralInputs in;
  float* logits = nullptr;  // [rows, 2]
};

// How a call is laid out on a device. Scratch is a block's working memory.
struct EncoderPlan {
  int group_rows = 1;          // rows that a block works on together
  int blocks = 1;              // thread blocks
  int64_t scratch_floats = 0;  // of one block
  bool in_shared = true;  // scratch in shared memory, else in global memory
};

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_ARRAYS_H_
