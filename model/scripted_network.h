// A network as its TorchScript, which LibTorch runs. LibTorch is large, and our
// own kernels need none of it. So what uses it is in a library that is loaded
// when a TorchScript is opened for the first time. No type of LibTorch is in
// this header.
#ifndef SLICE_MODEL_SCRIPTED_NETWORK_H_
#define SLICE_MODEL_SCRIPTED_NETWORK_H_

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "model/forward_pass.h"
#include "model/network_weights.h"

namespace slice {

// Thread-safe.
class ScriptedNetwork {
 public:
  virtual ~ScriptedNetwork() = default;

  // The parameters of the network.
  virtual const NetworkWeights& weights() const = 0;

  // Makes a pass that runs a frozen copy of the network on `device`. Returns
  // the errors of CheckDevice; FAILED_PRECONDITION when LibTorch cannot use the
  // device.
  virtual absl::StatusOr<std::unique_ptr<ForwardPass>> MakeForward(
      const EmbeddingRows& embeddings, const std::string& device) const = 0;
};

// The entry of the library (model/torch/script_library.cc). Its function
// slice_script_library() returns it.
struct ScriptLibrary {
  // Of the slice that built the library. The classes that cross the border are
  // alike only in the same version.
  const char* version = nullptr;
  absl::StatusOr<std::unique_ptr<ScriptedNetwork>> (*open)(
      const std::filesystem::path& file, const std::string& device) = nullptr;
};

// Opens the TorchScript of a file. `device` is where it will run at most, as
// LibTorch looks for devices only once. Loads the library when that was not
// done before, from ../lib/slice/ beside the folder of the running program.
// FAILED_PRECONDITION when the library is missing or of another version;
// DATA_LOSS when the file is not a network of the contract.
absl::StatusOr<std::unique_ptr<ScriptedNetwork>> OpenScriptedNetwork(
    const std::filesystem::path& file, const std::string& device);

}  // namespace slice

#endif  // SLICE_MODEL_SCRIPTED_NETWORK_H_
