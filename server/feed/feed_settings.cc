#include "server/feed/feed_settings.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/files.h"
#include "common/status_macros.h"

namespace slice {

absl::StatusOr<FeedSettings> ReadFeedSettings(
    const std::filesystem::path& file) {
  FeedSettings settings;
  if (file.empty()) return settings;
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  int number = 0;
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    ++number;
    const std::string stripped(absl::StripAsciiWhitespace(line));
    if (stripped.empty() || stripped.front() == '#') continue;
    const std::vector<std::string> parts =
        absl::StrSplit(stripped, absl::MaxSplits('=', 1));
    const std::string name(absl::StripAsciiWhitespace(parts[0]));
    // The value may be a password, so the message does not show it.
    if (parts.size() != 2 || name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--feed-config: ", file.string(), ":", number,
                       ": the line is not NAME = VALUE"));
    }
    settings[name] = std::string(absl::StripAsciiWhitespace(parts[1]));
  }
  return settings;
}

}  // namespace slice
