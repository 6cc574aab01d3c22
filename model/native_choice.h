// Whether a network can be run natively.
#ifndef SLICE_MODEL_NATIVE_CHOICE_H_
#define SLICE_MODEL_NATIVE_CHOICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/network_weights.h"

namespace slice {

// The native pass of the network with `weights` that agrees with `definition`
// on made-up links of 2 to 20 tokens, to 1e-4 of the largest logit.
// UNIMPLEMENTED saying why when there is none.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseNativeForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_CHOICE_H_
