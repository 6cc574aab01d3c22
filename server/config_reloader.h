// Applies a changed configuration to a running server.
#ifndef SLICE_SERVER_CONFIG_RELOADER_H_
#define SLICE_SERVER_CONFIG_RELOADER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/command/settings.h"
#include "common/mutex.h"
#include "server/server_command_line.h"
#include "server/server_options.h"

namespace slice {

// What a reload changed: names of flags, "identities" and "models".
struct ReloadReport {
  std::vector<std::string> applied;
  // Changed, but in use from the next start only.
  std::vector<std::string> needs_restart;
};

// Thread-safe.
class ConfigReloader {
 public:
  // Applies options that were checked. Returns an error only if it has changed
  // nothing.
  using Apply = std::function<absl::Status(const ServerOptions& options)>;

  // `line` is what `arguments`, those that the server was started with, and the
  // configuration file said then. `clock` must outlive the object.
  ConfigReloader(std::vector<std::string> arguments,
                 const ServerCommandLine& line,
                 const Clock* clock = Clock::Real());

  // Who applies the options of a reload. REQUIRES: called before Reload.
  void SetApply(Apply apply) { apply_ = std::move(apply); }

  // Reads the configuration again and applies what can change. Logs what it
  // did. Changes nothing and returns INVALID_ARGUMENT, with the place, when the
  // configuration is wrong, and ABORTED while another reload is under way.
  absl::StatusOr<ReloadReport> Reload();

  // How many reloads were applied, and how many were refused for a mistake.
  uint64_t applied() const { return applied_.load(); }
  uint64_t refused() const { return refused_.load(); }
  // When the configuration in use was read.
  absl::Time last_applied() const;

 private:
  absl::StatusOr<ReloadReport> ReadAndApply();

  const std::vector<std::string> arguments_;
  const std::vector<Setting> at_start_;
  const Clock* const clock_;
  Apply apply_;
  std::atomic<uint64_t> applied_ = 0, refused_ = 0;
  mutable Mutex mutex_;
  absl::Time last_applied_ ABSL_GUARDED_BY(mutex_);
  bool under_way_ ABSL_GUARDED_BY(mutex_) = false;
  // What was read last, by the one reload that is under way.
  std::vector<Setting> last_;
  std::vector<Identity> last_identities_;
  std::vector<ModelSource> last_models_;
};

}  // namespace slice

#endif  // SLICE_SERVER_CONFIG_RELOADER_H_
