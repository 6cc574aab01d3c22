#include "model/forward_pass.h"

#include "absl/strings/str_cat.h"

namespace slice {

std::string_view ForwardPathName(ForwardPath path) {
  switch (path) {
    case ForwardPath::kTorchScript:
      return "torchscript";
    case ForwardPath::kNative:
      return "native";
    case ForwardPath::kNativeBfloat16:
      return "native-bf16";
    default:
      return "auto";
  }
}

absl::StatusOr<ForwardPath> ParseForwardPath(std::string_view name) {
  for (const ForwardPath path :
       {ForwardPath::kAuto, ForwardPath::kTorchScript, ForwardPath::kNative,
        ForwardPath::kNativeBfloat16}) {
    if (name == ForwardPathName(path)) return path;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown forward path '", absl::string_view(name.data(), name.size()),
      "': use one of auto, torchscript, native and native-bf16"));
}

}  // namespace slice
