// The JSON that commands of slice-graph print.
#ifndef SLICE_GRAPHSTORE_COMMAND_OUTPUT_H_
#define SLICE_GRAPHSTORE_COMMAND_OUTPUT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace slice {

// The JSON as indented text with a line end. Bytes that are not valid UTF-8 are
// replaced.
std::string DumpJson(const nlohmann::ordered_json& json);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMAND_OUTPUT_H_
