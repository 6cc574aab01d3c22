// Reads the models of a configuration.
//
//   - name: amazon
//     bundle: /srv/bundles/amazon/current   # a directory, or a link to one
//     watch: true                           # load it again when it changes
//     canary: {bundle: /srv/bundles/amazon/new, share: 0.05, by: identity}
//     # or shadow: {bundle: ..., share: 0.1, by: link}
#ifndef SLICE_SERVER_MODELS_MODEL_CONFIG_H_
#define SLICE_SERVER_MODELS_MODEL_CONFIG_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/config/config_value.h"
#include "server/models/model_source.h"

namespace slice {

// The models of a list. INVALID_ARGUMENT with the place of an unknown key or
// value, and of a model without a name or a bundle.
absl::StatusOr<std::vector<ModelSource>> ReadModels(const ConfigValue& list);

// OK, or INVALID_ARGUMENT when no model may have this name: 1 to 128 printable
// ASCII characters without blanks.
absl::Status CheckModelName(const std::string& name);

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_MODEL_CONFIG_H_
