// Numbers as TorchScript source.
#ifndef SLICE_MODEL_TORCH_SCRIPT_FLOAT_H_
#define SLICE_MODEL_TORCH_SCRIPT_FLOAT_H_

#include <string>

#include "absl/strings/str_format.h"

namespace slice {

// `value` as a TorchScript float: "0" alone would be an integer.
inline std::string ScriptFloat(double value) {
  const std::string text = absl::StrFormat("%.9g", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_SCRIPT_FLOAT_H_
