#include "model/torch/script_library.h"

#include <torch/csrc/jit/api/module.h>

#include <utility>

#include "common/status_macros.h"
#include "model/torch/network.h"
#include "model/torch/torch_script_forward.h"

namespace slice {
namespace {

class LoadedScript final : public ScriptedNetwork {
 public:
  explicit LoadedScript(torch::jit::Module network)
      : network_(std::move(network)), weights_(ExtractWeights(network_)) {}

  const NetworkWeights& weights() const override { return weights_; }

  absl::StatusOr<std::unique_ptr<ForwardPass>> MakeForward(
      const EmbeddingRows& embeddings,
      const std::string& device) const override {
    return MakeTorchScriptForward(network_, embeddings, device);
  }

 private:
  const torch::jit::Module network_;
  const NetworkWeights weights_;
};

absl::StatusOr<std::unique_ptr<ScriptedNetwork>> Open(
    const std::filesystem::path& file, const std::string& device) {
  // The pass that needs a missing library reports it later.
  PrepareTorchScript(device).IgnoreError();
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network, LoadNetwork(file));
  return std::make_unique<LoadedScript>(std::move(network));
}

}  // namespace
}  // namespace slice

const slice::ScriptLibrary* slice_script_library() {
  static const slice::ScriptLibrary library = {SLICE_VERSION, &slice::Open};
  return &library;
}
