#include "client/json_parts.h"

#include <cmath>
#include <cstdlib>

#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace slice {

using Json = nlohmann::ordered_json;

Json Number(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(absl::StrFormat("%.9g", value).c_str(), nullptr);
}

Json Number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

Json NodeJson(const NodeInfo& node) {
  return {{"key", node.key}, {"name", node.name}, {"type", node.type}};
}

const char* DirectionName(ArcDirection direction) {
  switch (direction) {
    case ArcDirection::kOut:
      return "OUT";
    case ArcDirection::kIn:
      return "IN";
    case ArcDirection::kBoth:
      break;
  }
  return "BOTH";
}

void AddStep(const ExplainedStep& step, Json* json) {
  (*json)["node"] = NodeJson(step.node);
  if (step.relation.empty()) return;
  (*json)["relation"] = step.relation;
  (*json)["direction"] = DirectionName(step.direction);
}

}  // namespace slice
