#include "client/exit_codes.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr const char kSuggestion[] = "did you mean";

std::string WithoutEnd(std::string text, const char* characters) {
  text.erase(text.find_last_not_of(characters) + 1);
  return text;
}

std::string Trimmed(std::string text, const char* characters) {
  text.erase(0, text.find_first_not_of(characters));
  return WithoutEnd(std::move(text), characters);
}

}  // namespace

int ExitCodeFor(const absl::Status& status) {
  return status.ok() ? kExitOk
                     : kExitStatusBase + static_cast<int>(status.code());
}

std::string ErrorText(const std::string& where, const absl::Status& status) {
  std::string message = Printable(
      std::string(status.message().data(), status.message().size()), "\uFFFD");
  if (message.empty()) message = "the server gives no reason";
  std::string suggestion;
  const size_t at = absl::AsciiStrToLower(message).find(kSuggestion);
  if (at != std::string::npos) {
    suggestion = Trimmed(message.substr(at + sizeof(kSuggestion) - 1), " :?)");
    message = WithoutEnd(message.substr(0, at), " ;,.:(-");
  }
  return absl::StrCat("error: ", where, where.empty() ? "" : ": ",
                      absl::StatusCodeToString(status.code()), ": ", message,
                      "\n",
                      suggestion.empty() ? "" : "did you mean: ", suggestion,
                      suggestion.empty() ? "" : "\n");
}

}  // namespace slice
