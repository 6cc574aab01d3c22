#include "server/server_config.h"

#include <iterator>
#include <utility>

#include "absl/time/clock.h"
#include "common/signing.h"
#include "common/status_macros.h"
#include "server/access/access_config.h"
#include "server/models/model_config.h"

namespace slice {
namespace {

constexpr char kIdentities[] = "identities";
constexpr char kKnown[] = "known";
constexpr char kModels[] = "models";
constexpr char kServed[] = "served";

absl::Status AddIdentities(const ConfigValue& list, ServerOptions* options) {
  SLICE_ASSIGN_OR_RETURN(std::vector<Identity> more, ReadIdentities(list));
  std::vector<Identity>& all = options->access.identities;
  all.insert(all.end(), std::make_move_iterator(more.begin()),
             std::make_move_iterator(more.end()));
  return absl::OkStatus();
}

}  // namespace

std::vector<StructuredKey> ServerStructuredKeys() {
  return {{kIdentities, kKnown}, {kModels, kServed}};
}

absl::Status ReadServerConfig(const std::optional<ConfigValue>& file,
                              ServerOptions* options) {
  SLICE_RETURN_IF_ERROR(options->tls.Validate());
  if (!options->trusted_keys.empty()) {
    SLICE_RETURN_IF_ERROR(VerifyingKeys::Load(options->trusted_keys).status());
  }
  if (options->tls.enabled()) {
    SLICE_RETURN_IF_ERROR(ReadTlsMaterial(options->tls, absl::Now()).status());
  }
  options->access.identities.clear();
  options->models.clear();
  if (file.has_value()) {
    const auto served = file->Find({kModels, kServed});
    if (served.has_value()) {
      SLICE_ASSIGN_OR_RETURN(options->models, ReadModels(*served));
    }
    const auto known = file->Find({kIdentities, kKnown});
    if (known.has_value())
      SLICE_RETURN_IF_ERROR(AddIdentities(*known, options));
  }
  if (!options->token_file.empty()) {
    SLICE_ASSIGN_OR_RETURN(const ConfigValue tokens,
                           ReadConfigFile(options->token_file));
    SLICE_RETURN_IF_ERROR(AddIdentities(tokens, options));
  }
  return AccessPolicy::Create(options->access.identities,
                              options->access.anonymous)
      .status();
}

}  // namespace slice
