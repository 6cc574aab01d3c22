// The explanation of a link as JSON, in the words of the wire contract.
#ifndef SLICE_CLIENT_EXPLANATION_JSON_H_
#define SLICE_CLIENT_EXPLANATION_JSON_H_

#include <nlohmann/json_fwd.hpp>

#include "client/explanation_types.h"

namespace slice {

nlohmann::ordered_json ExplanationJson(const LinkExplanation& explanation);

}  // namespace slice

#endif  // SLICE_CLIENT_EXPLANATION_JSON_H_
