// A flag with a section is a CLI11 option in a group of that name. CLI11 could
// read variables and files itself, but it would let the file win over the
// variables, and it does not know the places of a file's values.
#include "common/command/settings.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

constexpr char kNoSection[] = "Options";  // CLI11's group of other flags
constexpr char kFromDefault[] = "default";
constexpr char kFromLine[] = "command line";

std::string NameOf(const CLI::Option& option) {
  return option.get_lnames().front();
}

std::string VariableOf(const std::string& name) {
  return absl::StrCat(
      "SLICE_", absl::StrReplaceAll(absl::AsciiStrToUpper(name), {{"-", "_"}}));
}

bool IsList(const CLI::Option& option) { return option.get_expected_max() > 1; }
bool IsSwitch(const CLI::Option& option) {
  return option.get_expected_max() == 0;
}

// Gives the option its value as the command line would.
absl::Status Give(CLI::Option& option, const std::vector<std::string>& values,
                  const std::string& origin) {
  try {
    for (const std::string& value : values) {
      option.add_result(IsSwitch(option)
                            ? option.get_flag_value(NameOf(option), value)
                            : value);
    }
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(absl::StrCat(origin, ": ", error.what()));
  }
  return absl::OkStatus();
}

// The value of the option, or its default. Lists have an empty default.
std::string YamlOf(const CLI::Option& option) {
  std::vector<std::string> values;
  if (option.count() > 0) values = option.reduced_results();
  for (std::string& value : values) value = YamlScalar(value);
  if (IsList(option))
    return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
  if (!values.empty()) return values.front();
  return IsSwitch(option) ? "false" : YamlScalar(option.get_default_str());
}

// The flags that have a section, and their origins.
class Settings {
 public:
  explicit Settings(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
      if (option->get_group() == kNoSection || option->get_lnames().empty())
        continue;
      flags_.push_back({option, kFromDefault});
      if (option->count() > 0) flags_.back().origin = kFromLine;
    }
  }

  absl::Status ReadVariables() {
    for (Flag& flag : flags_) {
      const std::string variable = VariableOf(NameOf(*flag.option));
      const char* const value = std::getenv(variable.c_str());
      if (value == nullptr || flag.option->count() > 0) continue;
      SLICE_RETURN_IF_ERROR(Give(*flag.option, {value}, variable));
      flag.origin = variable;
    }
    return absl::OkStatus();
  }

  absl::Status ReadFile(const ConfigValue& file,
                        std::span<const StructuredKey> structured) {
    SLICE_ASSIGN_OR_RETURN(const auto sections, file.Entries());
    for (const ConfigEntry& section : sections) {
      std::vector<std::string> names = SectionNames();
      for (const StructuredKey& key : structured) AddOnce(names, key.section);
      if (std::find(names.begin(), names.end(), section.key) == names.end()) {
        return UnknownSection(section, names);
      }
      SLICE_ASSIGN_OR_RETURN(const auto entries, section.value.Entries());
      for (const ConfigEntry& entry : entries) {
        SLICE_RETURN_IF_ERROR(ReadEntry(section.key, entry, structured));
      }
    }
    return absl::OkStatus();
  }

  std::vector<Setting> List() const {
    std::vector<Setting> settings;
    for (const Flag& flag : flags_) {
      const CLI::Option& option = *flag.option;
      settings.push_back(
          {option.get_group(), NameOf(option), YamlOf(option), flag.origin});
    }
    return settings;
  }

 private:
  struct Flag {
    CLI::Option* option;
    std::string origin;
  };

  static void AddOnce(std::vector<std::string>& names,
                      const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }

  std::vector<std::string> SectionNames() const {
    std::vector<std::string> names;
    for (const Flag& flag : flags_) AddOnce(names, flag.option->get_group());
    return names;
  }

  Flag* Find(const std::string& name) {
    for (Flag& flag : flags_) {
      if (NameOf(*flag.option) == name) return &flag;
    }
    return nullptr;
  }

  absl::Status UnknownSection(const ConfigEntry& section,
                              const std::vector<std::string>& names) {
    const std::string name = absl::StrReplaceAll(section.key, {{"_", "-"}});
    if (const Flag* const flag = Find(name)) {
      return section.key_value.Error(
          absl::StrCat("'", section.key, "' belongs into section '",
                       flag->option->get_group(), "'"));
    }
    return section.key_value.Error(
        absl::StrCat("there is no section ", Quoted(section.key),
                     Alternatives(section.key, names, names.size())));
  }

  absl::Status ReadEntry(const std::string& section, const ConfigEntry& entry,
                         std::span<const StructuredKey> structured) {
    const std::string name = absl::StrReplaceAll(entry.key, {{"_", "-"}});
    std::vector<std::string> names;
    for (const StructuredKey& key : structured) {
      if (key.section != section) continue;
      if (key.name == name) return absl::OkStatus();
      names.push_back(key.name);
    }
    Flag* const flag = Find(name);
    if (flag != nullptr && flag->option->get_group() == section) {
      return ReadFlag(*flag, entry);
    }
    if (flag != nullptr) {
      return entry.key_value.Error(
          absl::StrCat("'", entry.key, "' belongs into section '",
                       flag->option->get_group(), "'"));
    }
    for (const Flag& one : flags_) {
      if (one.option->get_group() == section)
        names.push_back(NameOf(*one.option));
    }
    return entry.key_value.Error(
        absl::StrCat("section '", section, "' has no key ", Quoted(entry.key),
                     Alternatives(name, names)));
  }

  static absl::Status ReadFlag(Flag& flag, const ConfigEntry& entry) {
    SLICE_ASSIGN_OR_RETURN(const auto items, entry.value.Items());
    if (flag.option->count() > 0) return absl::OkStatus();
    std::vector<std::string> values;
    for (const ConfigValue& item : items) {
      SLICE_ASSIGN_OR_RETURN(values.emplace_back(), item.Text());
    }
    if (values.size() > 1 && !IsList(*flag.option)) {
      return entry.value.Error(
          absl::StrCat("'", entry.key, "' wants one value, not a list"));
    }
    // "key:" without a value is an empty text.
    if (values.empty() && !IsList(*flag.option)) values.emplace_back();
    flag.origin = entry.value.Place();
    if (values.empty()) return absl::OkStatus();
    SLICE_RETURN_IF_ERROR(Give(*flag.option, values, flag.origin));
    return absl::OkStatus();
  }

  std::vector<Flag> flags_;
};

}  // namespace

absl::StatusOr<std::vector<Setting>> FillSettings(
    CLI::App& app, const std::optional<ConfigValue>& file,
    std::span<const StructuredKey> structured) {
  Settings settings(app);
  SLICE_RETURN_IF_ERROR(settings.ReadVariables());
  if (file.has_value()) {
    SLICE_RETURN_IF_ERROR(settings.ReadFile(*file, structured));
  }
  return settings.List();
}

absl::Status WithOrigin(const absl::Status& error,
                        std::span<const Setting> settings) {
  for (const Setting& setting : settings) {
    if (setting.origin == kFromLine || setting.origin == kFromDefault) continue;
    const std::string start = absl::StrCat("--", setting.name, ":");
    if (!absl::StartsWith(error.message(), start)) continue;
    return absl::Status(error.code(),
                        absl::StrCat(setting.origin, ": ", error.message()));
  }
  return error;
}

std::string SettingsText(std::span<const Setting> settings,
                         const std::optional<ConfigValue>& file,
                         std::span<const StructuredKey> structured) {
  std::vector<std::string> order;
  std::map<std::string, std::string> sections;
  const auto section_text = [&](const std::string& name) -> std::string& {
    if (!sections.contains(name)) order.push_back(name);
    return sections[name];
  };
  for (const Setting& setting : settings) {
    absl::StrAppend(&section_text(setting.section), "  ", setting.name, ": ",
                    setting.yaml, "  # ", setting.origin, "\n");
  }
  for (const StructuredKey& key : structured) {
    const auto value =
        file.has_value() ? file->Find({key.section, key.name}) : std::nullopt;
    if (!value.has_value()) continue;
    absl::StrAppend(&section_text(key.section), "  ", key.name, ":  # ",
                    value->Place(), "\n", value->Yaml(/*indent=*/4), "\n");
  }
  std::string text;
  for (const std::string& name : order)
    absl::StrAppend(&text, name, ":\n", sections[name]);
  return text;
}

}  // namespace slice
