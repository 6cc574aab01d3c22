#include "graphstore/command_output.h"

#include <nlohmann/json.hpp>

namespace slice {

std::string DumpJson(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace slice
