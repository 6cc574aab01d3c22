// Decides which forward pass runs a network: our own kernels or TorchScript.
//
// Needs LibTorch: for .cc files of model/ only.
#ifndef SLICE_MODEL_FORWARD_CHOICE_H_
#define SLICE_MODEL_FORWARD_CHOICE_H_

#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "model/forward_options.h"
#include "model/forward_pass.h"
#include "model/forward_timing.h"
#include "model/network_weights.h"

namespace slice {

// What a forward pass is made from.
struct NetworkParts {
  torch::jit::Module network;
  NetworkWeights weights;
  EmbeddingRows embeddings;
};

// A pass, and the measurements by which it was chosen, if there were any.
struct ChosenForward {
  std::unique_ptr<ForwardPass> pass;
  std::vector<ForwardTiming> timings;
};

// Makes the pass that `options` ask for. On the CPU, ForwardPath::kAuto
// measures the native pass and the TorchScript and takes the faster one; on a
// device it takes the native pass if there is one. A pass on a device is
// guarded (model/guarded_forward.h). FAILED_PRECONDITION when the network has
// no pass of the path options.path.
absl::StatusOr<ChosenForward> ChooseForward(const NetworkParts& parts,
                                            const ForwardOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_FORWARD_CHOICE_H_
