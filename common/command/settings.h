// Values for the flags that a command line lacks: from variables of the
// environment, and then from a configuration file.
//
// A flag is in a section (CommandFlags::BeginSection). In section "limits" of
// the file, "max-batch-size: 128" gives --max-batch-size its value; so does the
// variable SLICE_MAX_BATCH_SIZE. The command line wins over the variable, and
// the variable over the file.
#ifndef SLICE_COMMON_COMMAND_SETTINGS_H_
#define SLICE_COMMON_COMMAND_SETTINGS_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/config/config_value.h"

namespace CLI {
class App;
}  // namespace CLI

namespace slice {

// The value of one flag, and where it comes from.
struct Setting {
  std::string section;
  std::string name;    // of the flag without dashes: "max-batch-size"
  std::string yaml;    // the value: "128", "[a, b]"
  std::string origin;  // "default", "command line", "SLICE_..." or a place
};

// A key of the file that is no flag, because its value is a list or a map. The
// program reads it from ParsedLine::config.
struct StructuredKey {
  std::string section;
  std::string name;
};

// Fills the flags of `app` that its command line lacked, and returns all flags
// with a section, in the order of help. `file` is the configuration file, if
// there is one. INVALID_ARGUMENT says where a wrong value comes from; so it
// does for a key of the file that is neither a flag of its section nor one of
// `structured`.
absl::StatusOr<std::vector<Setting>> FillSettings(
    CLI::App& app, const std::optional<ConfigValue>& file,
    std::span<const StructuredKey> structured);

// Says where the wrong value comes from, if `error` begins with the name of a
// flag and the flag's value is not from the command line.
absl::Status WithOrigin(const absl::Status& error,
                        std::span<const Setting> settings);

// The settings as a configuration file. A comment behind each says its origin.
// The values of structured keys are printed as the file has them.
std::string SettingsText(std::span<const Setting> settings,
                         const std::optional<ConfigValue>& file,
                         std::span<const StructuredKey> structured);

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_SETTINGS_H_
