#include "server/config_reloader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "common/logging.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// Whether `settings` has another value of the flag.
bool Differs(const std::vector<Setting>& settings, const Setting& now) {
  const auto before =
      std::find_if(settings.begin(), settings.end(),
                   [&](const Setting& one) { return one.name == now.name; });
  return before == settings.end() || before->yaml != now.yaml;
}

// Wherever the configuration has them.
bool SameIdentities(std::vector<Identity> some, std::vector<Identity> others) {
  for (Identity& one : some) one.place.clear();
  for (Identity& one : others) one.place.clear();
  return some == others;
}

std::string OrNothing(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : absl::StrJoin(names, ", ");
}

}  // namespace

ConfigReloader::ConfigReloader(std::vector<std::string> arguments,
                               const ServerCommandLine& line,
                               const Clock* clock)
    : arguments_(std::move(arguments)),
      at_start_(line.parsed.settings),
      clock_(clock),
      last_applied_(clock->Now()),
      last_(at_start_),
      last_identities_(line.options.access.identities),
      last_models_(line.options.models) {}

absl::StatusOr<ReloadReport> ConfigReloader::Reload() {
  {
    MutexLock lock(&mutex_);
    if (under_way_) {
      return absl::AbortedError(
          "another reload is under way; try again when it has ended");
    }
    under_way_ = true;
  }
  absl::StatusOr<ReloadReport> report = ReadAndApply();
  MutexLock lock(&mutex_);
  under_way_ = false;
  ++(report.ok() ? applied_ : refused_);
  if (report.ok()) last_applied_ = clock_->Now();
  return report;
}

absl::Time ConfigReloader::last_applied() const {
  MutexLock lock(&mutex_);
  return last_applied_;
}

absl::StatusOr<ReloadReport> ConfigReloader::ReadAndApply() {
  ServerCommandLine read = ReadServerCommandLine(arguments_);
  absl::Status status = read.parsed.status;
  if (status.ok()) status = apply_(read.options);
  if (!status.ok()) {
    LogError("the configuration from before stays in use: %s",
             std::string(status.message()));
    return absl::InvalidArgumentError(status.message());
  }
  ReloadReport report;
  std::vector<Identity>& identities = read.options.access.identities;
  if (!SameIdentities(identities, last_identities_)) {
    report.applied.emplace_back("identities");
  }
  last_identities_ = std::move(identities);
  if (read.options.models != last_models_) {
    report.applied.emplace_back("models");
  }
  last_models_ = std::move(read.options.models);
  for (const Setting& setting : read.parsed.settings) {
    if (IsLiveSetting(setting.name)) {
      if (Differs(last_, setting)) report.applied.push_back(setting.name);
    } else if (Differs(at_start_, setting)) {
      report.needs_restart.push_back(setting.name);
    }
  }
  last_ = std::move(read.parsed.settings);
  LogInfo("configuration read again; applied: %s; needs a restart: %s",
          OrNothing(report.applied), OrNothing(report.needs_restart));
  return report;
}

}  // namespace slice
