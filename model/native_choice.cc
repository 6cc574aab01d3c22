// A network comes as TorchScript and may be any program, so a native pass is
// tried out before it is used:
//   1. The shapes of the parameters give the options that the network may have
//      (NetworkWeights::MatchingOptions): none, one or a few.
//   2. For each of these options a native pass is made. The pass and the
//      TorchScript are run on the same made-up links. The first pass that gives
//      the same logits is taken.
#include "model/native_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/status_macros.h"
#include "model/device.h"
#include "model/native/native_forward.h"

#ifdef SLICE_CUDA
#include "model/cuda/cuda_device.h"
#include "model/cuda/device_forward.h"
#endif

namespace slice {
namespace {

constexpr float kTolerance = 1e-4f;  // relative to the largest logit
constexpr size_t kLongest = 20;      // tokens

std::vector<EncodedLink> LinksToCompare(const NetworkOptions& options,
                                        const EmbeddingRows& embeddings) {
  const MadeUpBounds bounds = BoundsOf(options, embeddings);
  std::vector<EncodedLink> links;
  for (size_t tokens = 2; tokens <= kLongest; ++tokens) {
    links.push_back(MadeUpLink(bounds, tokens, tokens));
  }
  return links;
}

absl::Status Compare(const ForwardPass& pass, const ForwardPass& definition,
                     const std::vector<EncodedLink>& links) {
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  const ContextBatch batch = ContextBatch::Assemble(pointers);
  SLICE_ASSIGN_OR_RETURN(const ForwardOutputs expected,
                         definition.Run(batch, /*with_attention=*/false));
  SLICE_ASSIGN_OR_RETURN(const ForwardOutputs actual,
                         pass.Run(batch, /*with_attention=*/false));
  float scale = 1, difference = 0;
  for (size_t i = 0; i < expected.logits.size(); ++i) {
    scale = std::max(scale, std::abs(expected.logits[i]));
    difference =
        std::max(difference, std::abs(expected.logits[i] - actual.logits[i]));
    if (!std::isfinite(expected.logits[i]) ||
        !std::isfinite(actual.logits[i])) {
      return absl::UnimplementedError("some of its outputs are not finite");
    }
  }
  if (difference <= kTolerance * scale) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrFormat(
      "its TorchScript computes something else than our kernels (the logits "
      "differ by %g)",
      difference));
}

// Makes a native pass, for the CPU or a device, of a network with these
// options.
using MakeForward = std::function<absl::StatusOr<std::unique_ptr<ForwardPass>>(
    const NetworkOptions& options)>;

// A pass that agrees with the definition, and the options it was made with.
struct MatchingForward {
  std::unique_ptr<ForwardPass> pass;
  NetworkOptions options;
};

// Makes a pass for each of the options that `weights` allow; returns the first
// that agrees with `definition`.
absl::StatusOr<MatchingForward> FirstThatAgrees(const NetworkWeights& weights,
                                                const EmbeddingRows& embeddings,
                                                const ForwardPass& definition,
                                                const MakeForward& make) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<NetworkOptions> matching,
                         weights.MatchingOptions());
  absl::Status why;
  for (const NetworkOptions& options : matching) {
    MatchingForward found = {nullptr, options};
    SLICE_ASSIGN_OR_RETURN(found.pass, make(options));
    why = Compare(*found.pass, definition, LinksToCompare(options, embeddings));
    if (why.ok()) return found;
  }
  return why;
}

absl::StatusOr<MatchingForward> NativeThatAgrees(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition) {
  return FirstThatAgrees(
      weights, embeddings, definition, [&](const NetworkOptions& options) {
        return MakeNativeForward(weights, options, embeddings.values,
                                 WeightFormat::kFloat32);
      });
}

}  // namespace

MadeUpBounds BoundsOf(const NetworkOptions& options,
                      const EmbeddingRows& embeddings) {
  return {static_cast<size_t>(embeddings.rows),
          static_cast<size_t>(options.relation_count),
          static_cast<size_t>(options.pair_features)};
}

absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseNativeForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, WeightFormat format) {
  SLICE_ASSIGN_OR_RETURN(MatchingForward found,
                         NativeThatAgrees(weights, embeddings, definition));
  if (format == WeightFormat::kFloat32) return std::move(found.pass);
  return MakeNativeForward(weights, found.options, embeddings.values, format);
}

absl::StatusOr<NetworkOptions> FindNativeOptions(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition) {
  SLICE_ASSIGN_OR_RETURN(const MatchingForward found,
                         NativeThatAgrees(weights, embeddings, definition));
  return found.options;
}

absl::StatusOr<std::unique_ptr<ForwardPass>> ChooseCudaForward(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    const ForwardPass& definition, const std::string& device) {
  SLICE_ASSIGN_OR_RETURN(
      MatchingForward found,
      FirstThatAgrees(
          weights, embeddings, definition, [&](const NetworkOptions& options) {
            return MakeCudaForward(weights, options, embeddings, device);
          }));
  return std::move(found.pass);
}

absl::StatusOr<std::unique_ptr<ForwardPass>> MakeCudaForward(
    const NetworkWeights& weights, const NetworkOptions& options,
    const EmbeddingRows& embeddings, const std::string& device) {
#ifdef SLICE_CUDA
  SLICE_ASSIGN_OR_RETURN(
      auto encoder,
      MakeCudaDevice(ArrangeWeights(weights, options), embeddings, device));
  return MakeDeviceForward(std::move(encoder));
#else
  return CheckDevice(device);
#endif
}

}  // namespace slice
