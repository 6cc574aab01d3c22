// A network that our own kernels run: tensors/network.bin of a bundle. It lets
// a server answer without LibTorch, which only the TorchScript needs.
#ifndef SLICE_MODEL_NATIVE_NETWORK_H_
#define SLICE_MODEL_NATIVE_NETWORK_H_

#include <filesystem>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/network_options.h"
#include "model/network_weights.h"

namespace slice {

struct NativeNetwork {
  NetworkWeights weights;
  NetworkOptions options;  // one of weights.MatchingOptions()

  // Write and read the file, whose format is described in
  // model/native_network.cc. Load returns DATA_LOSS for a malformed file and
  // for weights that are not those of a network that our kernels run.
  absl::Status Save(const std::filesystem::path& path) const;
  static absl::StatusOr<NativeNetwork> Load(const std::filesystem::path& path);
};

// Writes tensors/network.bin of a bundle that is being made in `staging`, which
// already holds model.pt and embeddings.bin. If there is ranking.pt, writes
// tensors/ranking.bin too. Our kernels must give the same logits as the
// TorchScript on made-up links; a network for which they do not, or which they
// cannot run, is not written, and the result is false. Returns the errors of
// OpenScriptedNetwork.
absl::StatusOr<bool> AddNativeNetwork(const std::filesystem::path& staging);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NETWORK_H_
