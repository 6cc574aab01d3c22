// `slice-trainer upgrade`: makes a bundle of this format of an older one. It
// adds what serving without LibTorch needs (model/native_network.h), and golden
// links. With labelled links it also calibrates the model anew.
#ifndef SLICE_TRAINER_UPGRADE_COMMAND_H_
#define SLICE_TRAINER_UPGRADE_COMMAND_H_

#include <filesystem>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"
#include "model/prediction.h"

namespace slice {

struct UpgradeOptions {
  std::filesystem::path bundle;
  std::filesystem::path out;  // empty: in the place of `bundle`
  // Labelled links that chose nothing but the training so far. If given, they
  // set the default scorer and the calibrations, as `fit` does.
  std::filesystem::path valid;
  std::optional<Scorer> scorer;  // the default scorer; absent: chosen on valid
  int threads = 0;
};

// Publishes a copy of the bundle that also holds tensors/network.bin and golden
// links, and returns its id, which is a new one. A signature is not kept. The
// report and the metrics stay those of the training.
// INVALID_ARGUMENT when options.valid lacks a label, or when a scorer is given
// without it; FAILED_PRECONDITION when our kernels cannot run the network;
// errors of OfflineModel::Open, AddNativeNetwork and PublishBundle. The old
// bundle stays until the new one is complete.
absl::StatusOr<std::string> UpgradeBundle(const UpgradeOptions& options);

StatusRun DefineUpgrade(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_UPGRADE_COMMAND_H_
