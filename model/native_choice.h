// Makes native passes: forward passes of our own kernels, for those networks
// that the kernels can run.
#ifndef SLICE_MODEL_NATIVE_CHOICE_H_
#define SLICE_MODEL_NATIVE_CHOICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/made_up_links.h"
#include "model/native/packed_matrix.h"
#include "model/network_weights.h"

namespace slice {

// The bounds of made-up links for a network with these options.
MadeUpBounds BoundsOf(const NetworkOptions& options,
                      const EmbeddingRows& embeddings);

// A native pass of the network with `weights`, which it keeps in `format`. The
// same pass with float32 weights was compared with `definition`, the
// TorchScript of the network, on made-up links of 2 to 20 tokens: their logits
// agree to 1e-4 of the largest logit. UNIMPLEMENTED, with the reason, when no
// native pass agrees.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseNativeForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, WeightFormat format);

// The options of the pass that ChooseNativeForward makes, and its errors.
absl::StatusOr<NetworkOptions> FindNativeOptions(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition);

// Makes such a pass on a cuda device, with float32 weights. Also returns the
// errors of MakeCudaDevice.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseCudaForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, const std::string& device);

// Makes the pass on a cuda device of a network with these options, without
// comparing it with anything. Returns the errors of MakeCudaDevice.
absl::StatusOr<std::unique_ptr<ForwardPass>> MakeCudaForward(
    const NetworkWeights& weights, const NetworkOptions& options,
    const EmbeddingRows& embeddings, const std::string& device);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_CHOICE_H_
