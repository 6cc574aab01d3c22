#include "client/answer_flags.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace slice {

std::vector<std::string> FlagNames(const AnswerFlags& flags) {
  std::vector<std::string> names;
  for (const auto& [set, name] :
       {std::pair(flags.exists, "exists"), std::pair(flags.self, "self"),
        std::pair(flags.off_schema_source, "off_schema_source"),
        std::pair(flags.off_schema_target, "off_schema_target"),
        std::pair(flags.cold_source, "cold_source"),
        std::pair(flags.cold_target, "cold_target"),
        std::pair(flags.unknown_source, "unknown_source"),
        std::pair(flags.unknown_target, "unknown_target"),
        std::pair(flags.truncated, "truncated")}) {
    if (set) names.emplace_back(name);
  }
  return names;
}

std::string FlagColumn(const AnswerFlags& flags) {
  const std::vector<std::string> names = FlagNames(flags);
  return names.empty() ? "-" : absl::StrJoin(names, ",");
}

std::string FlagNotes(const AnswerFlags& flags) {
  std::string lines;
  for (const std::string& note : flags.notes) {
    absl::StrAppend(&lines, "note: ", note, "\n");
  }
  if (flags.schema_log_odds < 0) {
    absl::StrAppendFormat(&lines,
                          "note: such pairs are rare among the links of the "
                          "graph; this lowered the log-odds by %.1f\n",
                          -flags.schema_log_odds);
  }
  return lines;
}

}  // namespace slice
