#include "client/commands/change_errors.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace slice {
namespace {

// A change that a message names, such as "changes[1].add_link.target".
struct Mention {
  size_t begin = 0, end = 0;  // in the message
  size_t position = 0;        // of the change
  std::string field;          // "add_link.target"; may be empty
};

// Elsewhere in a message such words are a part of a node's name.
bool NamesAChange(const std::string& message, size_t begin) {
  return begin == 0 ||
         absl::EndsWith(absl::string_view(message).substr(0, begin), " by ");
}

bool IsFieldCharacter(char c) {
  return absl::ascii_islower(c) || c == '_' || c == '.';
}

// The first mention at `from` or behind it. REQUIRES: `list` is not empty.
std::optional<Mention> FindMention(const std::string& message,
                                   std::string_view list, size_t from) {
  for (size_t begin = message.find(list, from); begin != std::string::npos;
       begin = message.find(list, begin + 1)) {
    const size_t number = begin + list.size() + 1;
    const size_t bracket = message.find(']', number);
    Mention mention = {.begin = begin, .end = bracket + 1};
    if (!NamesAChange(message, begin) ||
        message.compare(number - 1, 1, "[") != 0 ||
        bracket == std::string::npos ||
        !absl::SimpleAtoi(message.substr(number, bracket - number),
                          &mention.position)) {
      continue;
    }
    while (mention.end < message.size() &&
           IsFieldCharacter(message[mention.end])) {
      ++mention.end;
    }
    if (mention.end > bracket + 1)
      mention.field = message.substr(bracket + 2, mention.end - bracket - 2);
    return mention;
  }
  return std::nullopt;
}

// "target.key" of "add_link.target.key"; nothing of "add_link".
std::string PartOf(const std::string& field) {
  const size_t dot = field.find('.');
  return dot == std::string::npos ? "" : field.substr(dot + 1);
}

bool IsShellCharacter(char c) {
  return absl::ascii_isalnum(c) || absl::StrContains("_@%+=:,./-", c);
}

}  // namespace

absl::Status NameChanges(const absl::Status& error, std::string_view list,
                         const NameOfChange& name) {
  const std::string message(error.message());
  std::string named;
  size_t done = 0;
  for (auto mention = FindMention(message, list, 0); mention.has_value();
       mention = FindMention(message, list, done)) {
    std::string words = name(mention->position);
    const std::string part = PartOf(mention->field);
    if (mention->begin == 0 && absl::IsInvalidArgument(error) && !part.empty())
      absl::StrAppend(&words, words.empty() ? "" : ", ", part);
    absl::StrAppend(&named, message.substr(done, mention->begin - done), words);
    done = mention->end;
    if (words.empty() && message.compare(done, 2, ": ") == 0) done += 2;
  }
  return absl::Status(error.code(), absl::StrCat(named, message.substr(done)));
}

std::optional<UnknownEnd> UnknownEndOf(const absl::Status& error,
                                       std::string_view list) {
  const std::string message(error.message());
  const auto mention = FindMention(message, list, 0);
  if (!absl::IsNotFound(error) || !mention.has_value() || mention->begin != 0)
    return std::nullopt;
  const bool source = mention->field == "add_link.source";
  if (!source && mention->field != "add_link.target") return std::nullopt;
  return UnknownEnd{mention->position, source};
}

absl::Status AddAdvice(const absl::Status& error, std::string_view advice) {
  std::string message(error.message());
  const size_t end = std::min(message.find("; did you mean"), message.size());
  message.insert(end, absl::StrCat("; ", std::string(advice)));
  return absl::Status(error.code(), message);
}

std::string ShellWord(std::string_view word) {
  const std::string text =
      absl::StrReplaceAll(std::string(word), {{"\t", " "}});
  if (!text.empty() &&
      std::all_of(text.begin(), text.end(), IsShellCharacter)) {
    return text;
  }
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace slice
