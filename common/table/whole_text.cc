#include "common/table/whole_text.h"

#include <cstddef>

#include "common/status_macros.h"
#include "common/table/text_input.h"

namespace slice {
namespace {

absl::StatusOr<std::string> ReadWhole(TextInput& input) {
  constexpr size_t kPiece = size_t{1} << 20;
  std::string text;
  for (size_t size = 0;;) {
    text.resize(size + kPiece);
    SLICE_ASSIGN_OR_RETURN(const size_t read,
                           input.Read(text.data() + size, kPiece));
    size += read;
    if (read > 0) continue;
    text.resize(size);
    return text;
  }
}

}  // namespace

absl::StatusOr<std::string> ReadWholeText(const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(const auto input, TextInput::Open(path));
  return ReadWhole(*input);
}

absl::StatusOr<std::string> ReadWholeStandardInput() {
  SLICE_ASSIGN_OR_RETURN(const auto input, TextInput::OpenStandardInput());
  return ReadWhole(*input);
}

}  // namespace slice
