// Graph convolution over the typed edges of a context, before its attention
// layers (CompGCN: Vashishth et al., ICLR 2020; the option gcn_option =
// preprocess of SLiCE's program). Includes no LibTorch, like
// model/torch/network_definition.h.
#ifndef SLICE_MODEL_TORCH_RELATION_GCN_H_
#define SLICE_MODEL_TORCH_RELATION_GCN_H_

#include <string>
#include <vector>

#include "model/network_options.h"
#include "model/torch/parameter_spec.h"

namespace slice {

// TorchScript source of the method
//   gcn(x [B, T, d], pair_relations [B, T, T]) -> [B, T, d]
// of options.gcn_layers layers. One layer (equations 2 to 4 of CompGCN):
//   x_i <- tanh(norm(1/3 (W_out sum_j n_ij phi(x_j, z_ij)
//                       + W_in sum_j n_ij phi(x_j, z_ij)
//                       + W_self phi(x_i, z_self))))
//   z <- W_z z
// The first sum is over the tokens j that i links to, the second over the
// tokens j that link to i. z_ij is the vector of the signed relation between i
// and j, and z_self is the vector of signed relation 0. The last line of the
// formula prepares these vectors for the next layer. The factor n_ij is
// 1 / sqrt(degree of i * degree of j), with the degrees in the context. phi is
// the composition:
//   kSub       x - z
//   kMult      x * z
//   kCircConv  circular correlation: phi_k = sum_m x_m z_(m + k mod d)
// If several relations link two tokens, only the one in pair_relations counts.
// `norm` is a layer norm. CompGCN has a batch norm, but here contexts of
// different lengths share batches, and a context must score the same alone and
// in a batch.
std::string RelationGcnSource(const NetworkOptions& options);

// The parameters that the method reads; none without a composition.
std::vector<ParameterSpec> RelationGcnParameters(const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_RELATION_GCN_H_
