// What the configuration of slice-server holds beyond the values of its flags.
#ifndef SLICE_SERVER_SERVER_CONFIG_H_
#define SLICE_SERVER_SERVER_CONFIG_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "common/command/settings.h"
#include "common/config/config_value.h"
#include "server/server_options.h"

namespace slice {

// The keys of the configuration file that are lists or maps:
//   identities:
//     known: [...]   as server/access/access_config.h
//   models:
//     served: [...]  as server/models/model_config.h
std::vector<StructuredKey> ServerStructuredKeys();

// Reads these keys and the token file into `options`, and checks the files for
// TLS. `file` is the configuration file, if there is one. INVALID_ARGUMENT, or
// an error of ReadFile, with the place of what is wrong.
absl::Status ReadServerConfig(const std::optional<ConfigValue>& file,
                              ServerOptions* options);

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_CONFIG_H_
