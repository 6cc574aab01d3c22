// yaml-cpp behind config_value.h: the only file that includes it. Its marks
// count lines and columns from 0.
#include "common/config/config_value.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/did_you_mean.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "yaml-cpp/yaml.h"

namespace slice {

struct ConfigValue::Parsed {
  std::filesystem::path file;
  YAML::Node node;
};

namespace {

std::string PlaceOf(const std::filesystem::path& file, const YAML::Mark& mark) {
  if (mark.is_null()) return file.string();
  return absl::StrCat(file.string(), ":", mark.line + 1, ":", mark.column + 1);
}

const char* KindOf(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Map:
      return "a map of keys";
    case YAML::NodeType::Scalar:
      return "a single value";
    default:
      return "nothing";
  }
}

}  // namespace

std::string ConfigValue::Place() const {
  return PlaceOf(parsed_->file, parsed_->node.Mark());
}

absl::Status ConfigValue::Error(std::string_view message) const {
  return absl::InvalidArgumentError(absl::StrCat(
      Place(), ": ", absl::string_view(message.data(), message.size())));
}

absl::StatusOr<std::string> ConfigValue::Text() const {
  const YAML::Node& node = parsed_->node;
  if (node.IsNull()) return std::string();
  if (node.IsScalar()) return node.Scalar();
  return Error(absl::StrCat("a single value is wanted, not ", KindOf(node)));
}

absl::StatusOr<bool> ConfigValue::Bool() const {
  SLICE_ASSIGN_OR_RETURN(const std::string text, Text());
  if (text == "true") return true;
  if (text == "false") return false;
  return Error(absl::StrCat(Quoted(text), " is neither true nor false"));
}

absl::StatusOr<double> ConfigValue::Number() const {
  SLICE_ASSIGN_OR_RETURN(const std::string text, Text());
  double number = 0;
  if (absl::SimpleAtod(text, &number) && std::isfinite(number)) return number;
  return Error(absl::StrCat(Quoted(text), " is no number"));
}

absl::StatusOr<std::vector<ConfigValue>> ConfigValue::Items() const {
  const YAML::Node& node = parsed_->node;
  std::vector<ConfigValue> items;
  if (node.IsNull()) return items;
  if (node.IsMap()) return Error("a list is wanted, not a map of keys");
  if (node.IsScalar()) return std::vector<ConfigValue>{*this};
  for (const YAML::Node& item : node) {
    items.push_back(
        ConfigValue(std::make_shared<Parsed>(Parsed{parsed_->file, item})));
  }
  return items;
}

absl::StatusOr<std::vector<ConfigEntry>> ConfigValue::Entries() const {
  const YAML::Node& node = parsed_->node;
  std::vector<ConfigEntry> entries;
  if (node.IsNull()) return entries;
  if (!node.IsMap()) {
    return Error(
        absl::StrCat("keys with values are wanted, such as "
                     "\"key: value\", not ",
                     KindOf(node)));
  }
  std::set<std::string> keys;
  const auto wrap = [this](const YAML::Node& one) {
    return ConfigValue(std::make_shared<Parsed>(Parsed{parsed_->file, one}));
  };
  for (const auto& pair : node) {
    ConfigEntry entry{"", wrap(pair.first), wrap(pair.second)};
    SLICE_ASSIGN_OR_RETURN(entry.key, entry.key_value.Text());
    if (!keys.insert(entry.key).second) {
      return entry.key_value.Error(
          absl::StrCat("'", entry.key, "' is there twice"));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::optional<ConfigValue> ConfigValue::Find(
    std::initializer_list<std::string_view> keys) const {
  ConfigValue value = *this;
  for (const std::string_view key : keys) {
    const auto entries = value.Entries();
    if (!entries.ok()) return std::nullopt;
    const auto entry = std::find_if(
        entries->begin(), entries->end(), [key](const ConfigEntry& one) {
          return absl::StrReplaceAll(one.key, {{"_", "-"}}) == key;
        });
    if (entry == entries->end()) return std::nullopt;
    value = entry->value;
  }
  return value;
}

std::string ConfigValue::Yaml(int indent) const {
  const std::string margin(static_cast<size_t>(indent), ' ');
  return margin + absl::StrReplaceAll(YAML::Dump(parsed_->node),
                                      {{"\n", "\n" + margin}});
}

namespace {

// What is wrong with a text that yaml-cpp does not take. It has no clear words
// for a tab that indents a line, so that is looked for here.
absl::Status SyntaxError(const std::filesystem::path& file,
                         const std::string& text,
                         const YAML::Exception& error) {
  if (!error.mark.is_null()) {
    const std::vector<std::string> lines = absl::StrSplit(text, '\n');
    const auto line = static_cast<size_t>(error.mark.line);
    const std::string at = line < lines.size() ? lines[line] : "";
    const size_t tab = at.substr(0, at.find_first_not_of(" \t")).find('\t');
    if (tab != std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          file.string(), ":", line + 1, ":", tab + 1,
          ": this line is indented by a tab; YAML takes spaces only"));
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat(PlaceOf(file, error.mark), ": ", error.msg));
}

}  // namespace

absl::StatusOr<ConfigValue> ReadConfigFile(const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  auto parsed = std::make_shared<ConfigValue::Parsed>();
  parsed->file = path;
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(PlaceOf(path, documents[1].Mark()),
                       ": a second document begins; one file holds one"));
    }
    if (!documents.empty()) parsed->node = documents.front();
  } catch (const YAML::Exception& error) {
    return SyntaxError(path, text, error);
  }
  return ConfigValue(std::move(parsed));
}

std::string YamlScalar(const std::string& text) {
  YAML::Emitter emitter;
  emitter << text;
  return emitter.c_str();
}

}  // namespace slice
