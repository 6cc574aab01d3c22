// Whether a network can be run natively.
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

// What made-up links of a network with these options may name.
MadeUpBounds BoundsOf(const NetworkOptions& options,
                      const EmbeddingRows& embeddings);

// The native pass of the network with `weights` that agrees with `definition`
// on made-up links of 2 to 20 tokens, to 1e-4 of the largest logit. Of bfloat16
// weights when `format` says so, where the float32 ones agree.
// UNIMPLEMENTED saying why when there is none.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseNativeForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, WeightFormat format);

// The same on a cuda device, of float32 weights. Beside the errors above those
// of MakeCudaDevice.
absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseCudaForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, const std::string& device);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_CHOICE_H_
