// Decides which forward pass runs a network: our own kernels or TorchScript.
#ifndef SLICE_MODEL_FORWARD_CHOICE_H_
#define SLICE_MODEL_FORWARD_CHOICE_H_

#include <filesystem>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "model/forward_options.h"
#include "model/forward_pass.h"
#include "model/forward_timing.h"
#include "model/native_network.h"

namespace slice {

// What a forward pass is made from.
struct NetworkParts {
  std::filesystem::path script_file;      // its TorchScript
  const NativeNetwork* native = nullptr;  // null: not known
  EmbeddingRows embeddings;
};

// A pass, and the measurements by which it was chosen, if there were any.
struct ChosenForward {
  std::unique_ptr<ForwardPass> pass;
  std::vector<ForwardTiming> timings;
};

// Makes the pass that `options` ask for. Where parts.native is known, every
// path but kTorchScript runs it and never opens the TorchScript.
//
// Otherwise the TorchScript gives the weights. On the CPU, ForwardPath::kAuto
// then measures the native pass and the TorchScript and takes the faster one;
// on a device it takes the native pass if there is one. A pass on a device is
// guarded (model/guarded_forward.h). FAILED_PRECONDITION when the network has
// no pass of the path options.path; errors of OpenScriptedNetwork.
absl::StatusOr<ChosenForward> ChooseForward(const NetworkParts& parts,
                                            const ForwardOptions& options);

}  // namespace slice

#endif  // SLICE_MODEL_FORWARD_CHOICE_H_
