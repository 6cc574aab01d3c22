// The paper's score: the dot product of the two ends' contextual embeddings
// (sections 3.4 and 3.5). Free of LibTorch, as network_definition.h.
#ifndef SLICE_MODEL_TORCH_DOT_HEAD_H_
#define SLICE_MODEL_TORCH_DOT_HEAD_H_

#include <string>
#include <vector>

#include "model/network_options.h"
#include "model/torch/network_definition.h"

namespace slice {

// TorchScript source of the method
//   contextual(x, all_layers, kinds, relation) -> [B, 2]
// with x [B, T, d] the encoder's output and all_layers [B, T, layers * d]. Both
// questions have the same answer. Layers are read as options.readout says, then
// projected: by nothing, one linear map, or two with ReLU and dropout between
// (the fine-tuning layer of SLiCE's program).
std::string DotHeadSource(const NetworkOptions& options);
std::vector<ParameterSpec> DotHeadParameters(const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_DOT_HEAD_H_
