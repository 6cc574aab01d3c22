// `slice-trainer upgrade`: adds to a bundle of an older slice what serving
// without LibTorch needs (model/native_network.h), and golden links.
#ifndef SLICE_TRAINER_UPGRADE_COMMAND_H_
#define SLICE_TRAINER_UPGRADE_COMMAND_H_

#include <filesystem>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

struct UpgradeOptions {
  std::filesystem::path bundle;
  std::filesystem::path out;  // empty: in the place of `bundle`
};

// Publishes a copy of the bundle that also holds tensors/network.bin and golden
// links, and returns its id, which is a new one. A signature is not kept.
// FAILED_PRECONDITION when our kernels cannot run the network; errors of
// OfflineModel::Open, AddNativeNetwork and PublishBundle. The old bundle stays
// until the new one is complete.
absl::StatusOr<std::string> UpgradeBundle(const UpgradeOptions& options);

StatusRun DefineUpgrade(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_TRAINER_UPGRADE_COMMAND_H_
