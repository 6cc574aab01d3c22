// Values that all answers as JSON have.
#ifndef SLICE_CLIENT_JSON_PARTS_H_
#define SLICE_CLIENT_JSON_PARTS_H_

#include <nlohmann/json_fwd.hpp>

#include "client/explanation_types.h"
#include "client/link_types.h"

namespace slice {

// The float rounded to nine significant decimal digits. As a double it is
// written with these digits and no more. NaN and infinity become null.
nlohmann::ordered_json Number(float value);
nlohmann::ordered_json Number(double value);

nlohmann::ordered_json NodeJson(const NodeInfo& node);

// The name of a direction in the wire contract, such as "OUT".
const char* DirectionName(ArcDirection direction);

// Adds a step of a path to an object: its node, and how it was reached.
void AddStep(const ExplainedStep& step, nlohmann::ordered_json* json);

}  // namespace slice

#endif  // SLICE_CLIENT_JSON_PARTS_H_
