// Makes the passes of our own kernels, for networks that they can run.
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

// The ids that made-up links of a network with these options may use.
MadeUpBounds BoundsOf(const NetworkOptions& options,
                      const EmbeddingRows& embeddings);

// A native pass of the network with `weights`. With float32 weights it agrees
// with `definition` on made-up links of 2 to 20 tokens, to 1e-4 of the largest
// logit; the pass itself has weights of `format`. UNIMPLEMENTED, with the
// reason, when there is no such pass.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseNativeForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, WeightFormat format);

// The same on a cuda device, with float32 weights. Also returns the errors of
// MakeCudaDevice.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseCudaForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, const std::string& device);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_CHOICE_H_
