// The choice is made in these steps:
//   1. Where the trainer has compared the native pass with the TorchScript and
//      kept its weights (NativeNetwork), make that pass. This is the whole
//      choice, unless the TorchScript was asked for.
//   2. Otherwise open the TorchScript. Build the native pass, if the weights
//      match a known network and its outputs agree with the TorchScript's
//      (model/native_choice.h).
//   3. On the CPU, kAuto measures both passes and keeps the faster one.
//   4. On a device, a guard is put around the pass. When memory runs out for a
//      batch, the guard runs the batch in two halves. When the device is lost,
//      the guard moves to the CPU or fails.
#include "model/forward_choice.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "model/guarded_forward.h"
#include "model/native/native_forward.h"
#include "model/native_choice.h"
#include "model/scripted_network.h"

namespace slice {
namespace {

// How long kAuto measures the passes that it chooses from.
constexpr absl::Duration kTimingBudget = absl::Milliseconds(50);

absl::Status NoForward(ForwardPath path, const std::string& device,
                       const absl::Status& why) {
  return absl::FailedPreconditionError(absl::StrCat(
      "this network has no forward pass ", std::string(ForwardPathName(path)),
      " on device ", device, ": ", why.message(),
      "; use the forward path torchscript, which runs any network"));
}

WeightFormat FormatOf(ForwardPath path) {
  return path == ForwardPath::kNativeBfloat16 ? WeightFormat::kBfloat16
                                              : WeightFormat::kFloat32;
}

bool RunsNative(const NetworkParts& parts, ForwardPath path) {
  return parts.native != nullptr && path != ForwardPath::kTorchScript;
}

// The faster of two passes of the same network.
absl::StatusOr<ChosenForward> TakeFaster(
    const NetworkWeights& weights, const EmbeddingRows& embeddings,
    std::unique_ptr<ForwardPass> native,
    std::unique_ptr<ForwardPass> definition) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<NetworkOptions> options,
                         weights.MatchingOptions());
  const ForwardPass* passes[] = {native.get(), definition.get()};
  ChosenForward chosen;
  SLICE_ASSIGN_OR_RETURN(
      chosen.timings,
      TimeForwardPasses(passes, BoundsOf(options[0], embeddings),
                        kTimingBudget));
  chosen.pass = FastestPath(chosen.timings) == native->path()
                    ? std::move(native)
                    : std::move(definition);
  return chosen;
}

absl::StatusOr<ChosenForward> LoadOnCpu(const NetworkParts& parts,
                                        ForwardPath path) {
  if (RunsNative(parts, path)) {
    return ChosenForward{
        MakeNativeForward(parts.native->weights, parts.native->options,
                          parts.embeddings.values, FormatOf(path)),
        {}};
  }
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<ScriptedNetwork> script,
                         OpenScriptedNetwork(parts.script_file, "cpu"));
  SLICE_ASSIGN_OR_RETURN(std::unique_ptr<ForwardPass> definition,
                         script->MakeForward(parts.embeddings, "cpu"));
  if (path == ForwardPath::kTorchScript) {
    return ChosenForward{std::move(definition), {}};
  }
  auto native = ChooseNativeForward(script->weights(), parts.embeddings,
                                    *definition, FormatOf(path));
  if (path == ForwardPath::kAuto) {
    if (!native.ok()) return ChosenForward{std::move(definition), {}};
    return TakeFaster(script->weights(), parts.embeddings, *std::move(native),
                      std::move(definition));
  }
  if (!native.ok()) return NoForward(path, "cpu", native.status());
  return ChosenForward{*std::move(native), {}};
}

// The native pass on a device is compared with the TorchScript on the CPU, so
// that LibTorch puts nothing on the device.
absl::StatusOr<std::unique_ptr<ForwardPass>> LoadOnDevice(
    const NetworkParts& parts, ForwardPath path, const std::string& device) {
  if (path == ForwardPath::kNativeBfloat16) {
    return NoForward(path, device,
                     absl::UnimplementedError("bfloat16 runs only on the CPU"));
  }
  if (RunsNative(parts, path)) {
    return MakeCudaForward(parts.native->weights, parts.native->options,
                           parts.embeddings, device);
  }
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<ScriptedNetwork> script,
                         OpenScriptedNetwork(parts.script_file, device));
  if (path == ForwardPath::kTorchScript) {
    return script->MakeForward(parts.embeddings, device);
  }
  SLICE_ASSIGN_OR_RETURN(const std::unique_ptr<ForwardPass> definition,
                         script->MakeForward(parts.embeddings, "cpu"));
  auto native = ChooseCudaForward(script->weights(), parts.embeddings,
                                  *definition, device);
  if (native.ok()) return native;
  if (!absl::IsUnimplemented(native.status())) return native.status();
  if (path != ForwardPath::kAuto) {
    return NoForward(path, device, native.status());
  }
  return script->MakeForward(parts.embeddings, device);
}

absl::StatusOr<ChosenForward> ChooseGuarded(const NetworkParts& parts,
                                            const ForwardOptions& options) {
  ChosenForward chosen, fallback;
  if (options.on_device_loss == DeviceLossPolicy::kFallBackToCpu) {
    SLICE_ASSIGN_OR_RETURN(fallback, LoadOnCpu(parts, ForwardPath::kAuto));
  }
  SLICE_ASSIGN_OR_RETURN(chosen.pass,
                         LoadOnDevice(parts, options.path, options.device));
  chosen.pass = GuardForward(std::move(chosen.pass), std::move(fallback.pass),
                             options.health != nullptr
                                 ? options.health
                                 : std::make_shared<DeviceHealth>());
  return chosen;
}

}  // namespace

absl::StatusOr<ChosenForward> ChooseForward(const NetworkParts& parts,
                                            const ForwardOptions& options) {
  return options.device == "cpu" ? LoadOnCpu(parts, options.path)
                                 : ChooseGuarded(parts, options);
}

}  // namespace slice
