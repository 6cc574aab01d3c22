// What the encoder kernel and its CPU reference read and write: offsets into
// one array of weights, and the packed tokens of a batch. Read by nvcc as
// C++17: no header of the project, nothing but plain numbers and pointers.
#ifndef SLICE_MODEL_CUDA_ENCODER_ARRAYS_H_
#define SLICE_MODEL_CUDA_ENCODER_ARRAYS_H_

#include <stdint.h>

#ifdef __CUDACC__
#define SLICE_HOST_DEVICE __host__ __device__
#else
#define SLICE_HOST_DEVICE
#endif

namespace slice {

inline constexpr int kMaxEncoderLayers = 8;
inline constexpr int kEncoderOutputs = 6;  // kScorers * kQuestions
inline constexpr int kNoArray = -1;
// Threads that share a row in a layer norm, each with a partial sum.
inline constexpr int kNormLanes = 16;

// y = x W + b. Where an array begins in the array of weights; kNoArray for no
// bias. The weight is [in, out]: neighbouring threads, which compute
// neighbouring outputs, read neighbouring floats.
struct ProductArrays {
  int in = 0;
  int out = 0;
  int64_t weight = kNoArray;  // [in, out]
  int64_t bias = kNoArray;    // [out]
};

// A product whose input ends in a relation embedding, which is folded into a
// bias per relation: y = x W + biases[relation].
struct RelationProductArrays {
  ProductArrays product;      // without bias
  int64_t biases = kNoArray;  // [relations, out]
};

struct NormArrays {
  int64_t gain = kNoArray;   // [size]
  int64_t shift = kNoArray;  // [size]
};

struct LayerArrays {
  NormArrays norm1, norm2;
  ProductArrays projections;  // query (scaled), key and value in a row
  ProductArrays out, feed_forward1, feed_forward2;
  int64_t edge_bias = kNoArray;  // [2 relations + 1, heads]
};

// A network of model/torch/network_definition.h.
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
  // What the dot product reads: the last `layers_read` layers side by side or
  // summed, or with `reads_output` the encoder's output. kPair when not `dot`.
  bool dot = false;
  bool reads_output = false;
  bool sums_layers = false;
  int layers_read = 0;
  int projections = 0;  // of the dot product: 0, 1, or 2 with relu between

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
  ProductArrays project1, project2;  // of the dot product
};

// A batch: the tokens of all rows one after the other. A row is one context;
// rows without tokens fill a bucket up. `width`: the most tokens of a row.
struct EncoderInputs {
  int rows = 0;
  int width = 0;
  const float* weights = nullptr;
  const float* embeddings = nullptr;         // [nodes, embedding_dim]
  const int32_t* row_first = nullptr;        // [rows + 1], first token of a row
  const int32_t* relation = nullptr;         // [rows], the one asked for
  const float* pair_features = nullptr;      // [rows, pair_features]
  const int32_t* token_row = nullptr;        // [tokens]
  const uint32_t* nodes = nullptr;           // [tokens], kNoNode: none
  const int32_t* kind_roles = nullptr;       // [tokens], row of kind_roles
  const float* token_features = nullptr;     // [tokens, token_features]
  const int32_t* token_relations = nullptr;  // [tokens, 3], row of token_rows
  const int32_t* pair_relations = nullptr;   // [tokens, width], of edge_bias
};

struct EncoderOutputs {
  float* logits = nullptr;  // [rows, kEncoderOutputs], OutputNames()
  // [layers, heads, rows * width, width], by packed token; or null.
  float* attention = nullptr;
};

// The structural scorer alone.
struct StructuralInputs {
  int rows = 0;
  const float* weights = nullptr;
  const int32_t* relation = nullptr;     // [rows]
  const float* pair_features = nullptr;  // [rows, pair_features]
};

// How a call is laid out on a device.
struct EncoderPlan {
  int group_rows = 1;  // rows that a block works on together
  int blocks = 1;
  int64_t scratch_floats = 0;  // of a block
  bool in_shared = true;       // else the scratch is global memory
};

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_ARRAYS_H_
