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

// A TorchScript expression for the readout: the contextual embeddings that the
// score reads, taken from the layers that options.readout names. The expression
// uses x and all_layers, the arguments of contextual() below. LayerReadoutWidth
// is the size of the last dimension of its value.
std::string LayerReadoutSource(const NetworkOptions& options);
int LayerReadoutWidth(const NetworkOptions& options);

// TorchScript source of the method
//   contextual(x, all_layers, kinds, relation) -> [B, 2]
// where x [B, T, d] is the output of the encoder and all_layers [B, T, layers *
// d] are the outputs of all layers. Both questions get the same answer.
// options.readout chooses the layers. The readout is projected as
// options.projection says: not at all, by one linear map, or by two with ReLU
// and dropout between them (the fine-tuning layer of SLiCE's program).
std::string DotHeadSource(const NetworkOptions& options);

// The parameters that the method reads.
std::vector<ParameterSpec> DotHeadParameters(const NetworkOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_DOT_HEAD_H_
