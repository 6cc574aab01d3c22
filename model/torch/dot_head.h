// The paper's score: the dot product of the contextual embeddings of the two
// ends (sections 3.4 and 3.5). Includes no LibTorch, like
// model/torch/network_definition.h.
#ifndef SLICE_MODEL_TORCH_DOT_HEAD_H_
#define SLICE_MODEL_TORCH_DOT_HEAD_H_

#include <string>
#include <vector>

#include "model/network_options.h"
#include "model/torch/parameter_spec.h"

namespace slice {

// A TorchScript expression for the contextual embeddings that the score reads:
// those layers that options.readout names. It reads x and all_layers, as
// contextual() below. LayerReadoutWidth is the width of its last dimension.
std::string LayerReadoutSource(const NetworkOptions& options);
int LayerReadoutWidth(const NetworkOptions& options);

// TorchScript source of the method
//   contextual(x, all_layers, kinds, relation) -> [B, 2]
// where x [B, T, d] is the output of the encoder and all_layers [B, T,
// layers * d] are the outputs of all layers. Both questions get the same
// answer. options.readout chooses the layers. options.projection is nothing,
// one linear map, or two with ReLU and dropout between them (the fine-tuning
// layer of SLiCE's program).
std::string DotHeadSource(const NetworkOptions& options);

// The parameters that the method reads.
std::vector<ParameterSpec> DotHeadParameters(const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_DOT_HEAD_H_
