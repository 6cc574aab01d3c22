// CLI11 behind command_line.h, and the look of --help.
//
// A command is a subcommand of CLI11's App. Both spellings of a flag are
// registered (flags.cc); HelpFormatter shows the one with hyphens. A flag's
// line in help holds its names, a placeholder for its value, its description,
// and in brackets what limits the value: whether it is required, the notes of
// flags.cc, the default, the variable of the environment, and the flags that it
// needs or excludes. Text is wrapped at 80 columns.
#include "common/command/command_line.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr size_t kHelpWidth = 80;
constexpr size_t kTextColumn = 28;
// Stands for a space at which no line breaks. Notes of up to kLongestFirmNote
// bytes have only such spaces, so each of them stays on one line.
constexpr char kFirmSpace[] = "\x1f";
constexpr size_t kLongestFirmNote = 40;

// "  NAME   text". The text is wrapped beside the name, or below a long name.
std::string HelpEntry(const std::string& name, const std::string& text) {
  std::string page = "  " + name;
  size_t column = page.size();
  // Two spaces part the name from its text.
  if (column + 2 > kTextColumn) column = kHelpWidth;
  const std::vector<std::string> words =
      absl::StrSplit(text, ' ', absl::SkipWhitespace());
  for (const std::string& word : words) {
    if (column + 1 + word.size() > kHelpWidth && column > kTextColumn) {
      absl::StrAppend(&page, "\n");
      column = 0;
    }
    const size_t spaces = column < kTextColumn ? kTextColumn - column : 1;
    absl::StrAppend(&page, std::string(spaces, ' '), word);
    column += spaces + word.size();
  }
  return absl::StrReplaceAll(page, {{kFirmSpace, " "}}) + "\n";
}

std::string JoinNames(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  return absl::StrJoin(names, ", ");
}

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }

 private:
  std::string make_option_name(const CLI::Option* option,
                               bool is_positional) const override {
    std::string all = CLI::Formatter::make_option_name(option, is_positional);
    if (is_positional) return all;
    std::vector<std::string> names = absl::StrSplit(all, ',');
    std::erase_if(names, [](const std::string& name) {
      return absl::StrContains(name, '_');
    });
    return absl::StrJoin(names, ", ");
  }

  std::string make_option(const CLI::Option* option,
                          bool is_positional) const override {
    std::string name = make_option_name(option, is_positional);
    const bool has_value = option->get_type_size() != 0;
    if (has_value && !is_positional)
      absl::StrAppend(&name, " ", option->get_type_name());
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size &&
        option->get_allow_extra_args()) {
      absl::StrAppend(&name, "...");
    }
    std::vector<std::string> notes = Notes(option);
    for (std::string& note : notes) {
      if (note.size() <= kLongestFirmNote)
        note = absl::StrReplaceAll(note, {{" ", kFirmSpace}});
    }
    std::string text = option->get_description();
    if (!notes.empty())
      absl::StrAppend(&text, " [", absl::StrJoin(notes, "; "), "]");
    return HelpEntry(name, text);
  }

  static std::vector<std::string> Notes(const CLI::Option* option) {
    std::vector<std::string> notes;
    if (option->get_required()) notes.push_back("required");
    if (!option->get_option_text().empty())
      notes.push_back(option->get_option_text());
    if (!option->get_required() && !option->get_default_str().empty())
      notes.push_back("default " + option->get_default_str());
    if (!option->get_envname().empty())
      notes.push_back("environment " + option->get_envname());
    if (!option->get_needs().empty())
      notes.push_back("needs " + JoinNames(option->get_needs()));
    if (!option->get_excludes().empty())
      notes.push_back("not with " + JoinNames(option->get_excludes()));
    return notes;
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return HelpEntry(command->get_name(), command->get_description());
  }
};

// The flag `name` of the program or of one of its commands; null: none.
const CLI::Option* FindOption(const CLI::App& app, const std::string& name) {
  if (const CLI::Option* own = app.get_option_no_throw(name)) return own;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (const CLI::Option* one = command->get_option_no_throw(name)) return one;
  }
  return nullptr;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

// The flags of a program or a command, as help spells them: "--data-dir".
std::vector<std::string> FlagNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      if (!absl::StrContains(name, '_')) names.push_back("--" + name);
    }
  }
  return names;
}

// CLI11 takes the argument after "--flag=" for the value of the flag. So that
// the value is empty, "--flag=" becomes "--flag" and "".
absl::Status PartEmptyValues(const CLI::App& app,
                             std::vector<std::string>& arguments) {
  std::vector<std::string> parted;
  bool flags_end = false;  // at "--"
  for (std::string& argument : arguments) {
    flags_end = flags_end || argument == "--";
    const bool is_empty = !flags_end && absl::StartsWith(argument, "--") &&
                          argument.find('=') + 1 == argument.size();
    if (!is_empty) {
      parted.push_back(std::move(argument));
      continue;
    }
    argument.pop_back();
    const CLI::Option* const option = FindOption(app, argument);
    if (option != nullptr && option->get_items_expected_max() == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(argument, " takes no value; leave out the ="));
    }
    parted.push_back(std::move(argument));
    parted.emplace_back();
  }
  arguments = std::move(parted);
  return absl::OkStatus();
}

// Messages and requests are UTF-8, so every argument must be.
absl::Status CheckUtf8(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (ValidUtf8Prefix(argument) == argument.size()) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "argument ", i + 1, " is not UTF-8: \"",
        absl::CHexEscape(argument.substr(0, 80)), "\"; write it in UTF-8"));
  }
  return absl::OkStatus();
}

}  // namespace

struct CommandLine::Parser {
  explicit Parser(const Program& program)
      : version(program.name + " " SLICE_VERSION),
        has_config(program.has_config),
        structured_keys(program.structured_keys),
        read_structured(program.read_structured),
        app(program.summary, program.name),
        flags(app) {}

  const std::string version;  // "slice-graph 1.2.3"
  const bool has_config;
  const std::vector<StructuredKey> structured_keys;
  const decltype(Program::read_structured) read_structured;
  std::filesystem::path config_file;
  bool check_config = false;
  bool print_config = false;
  CLI::App app;
  CommandFlags flags;
  // In the order of the app's subcommands.
  std::vector<std::unique_ptr<CommandFlags>> commands;
};

CommandLine::CommandLine(const Program& program)
    : parser_(std::make_unique<Parser>(program)) {
  CLI::App& app = parser_->app;
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(program.footer);
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", parser_->version, "Print the version");
  if (program.last_flag_counts) app.option_defaults()->take_last();
  if (!program.has_config) return;
  parser_->flags
      .Add("--config", parser_->config_file,
           "YAML file with values for the flags that neither the line nor "
           "their variables give; the variable of --max-queue-items is "
           "SLICE_MAX_QUEUE_ITEMS")
      .Type("FILE")
      .Environment("SLICE_CONFIG");
  parser_->flags.AddSwitch("--check-config", parser_->check_config,
                           "say whether flags, variables and file are good");
  parser_->flags.AddSwitch("--print-config", parser_->print_config,
                           "print all values as a configuration file, each "
                           "with where it comes from");
}

CommandLine::~CommandLine() = default;

CommandFlags& CommandLine::flags() { return parser_->flags; }

CommandFlags& CommandLine::AddCommand(const std::string& name,
                                      const std::string& summary) {
  CLI::App& app = parser_->app;
  app.require_subcommand(1);
  CLI::App* const command = app.add_subcommand(name, summary);
  command->group("Commands");
  command->set_version_flag("--version", parser_->version)->group("");
  // Two of the options are --help and --version.
  const bool program_has_flags = app.get_options().size() > 2;
  command->fallthrough(program_has_flags);
  command->footer(program_has_flags
                      ? app.get_name() +
                            " --help lists the flags that every command takes."
                      : "");
  return *parser_->commands.emplace_back(
      std::make_unique<CommandFlags>(*command));
}

ParsedLine CommandLine::Parse(int argc, const char* const* argv) {
  return Parse(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
}

ParsedLine CommandLine::Parse(std::vector<std::string> arguments) {
  ParsedLine line;
  line.status = CheckUtf8(arguments);
  if (line.status.ok()) line.status = AskForHelp(arguments);
  if (line.status.ok()) {
    line.status = PartEmptyValues(parser_->app, arguments);
  }
  if (!line.status.ok()) return line;
  // CLI11 reads a vector of arguments from its end.
  std::reverse(arguments.begin(), arguments.end());
  CLI::App& app = parser_->app;
  const auto find_command = [&] {
    const std::vector<CLI::App*> named = app.get_subcommands();
    if (!named.empty()) line.command = named.front()->get_name();
  };
  try {
    app.parse(std::move(arguments));
    find_command();
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    app.exit(help_or_version, text, text);
    // CLI11 leaves two empty lines after a group without visible flags.
    line.text = absl::StrReplaceAll(text.str(), {{"\n\n\n", "\n\n"}});
    absl::StripTrailingAsciiWhitespace(&line.text);
    line.text += "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    find_command();
    line.status = UsageError(line.command, error.what());
    return line;
  }
  if (parser_->has_config) line.status = ReadConfig(line);
  if (line.status.ok())
    line.status = WithOrigin(RunChecks(line), line.settings);
  if (!line.status.ok()) return line;
  if (parser_->print_config) {
    line.text =
        SettingsText(line.settings, line.config, parser_->structured_keys);
  } else if (parser_->check_config) {
    line.text = "the configuration is good\n";
  }
  return line;
}

// Reads the file that --config names, and gives the flags their values.
absl::Status CommandLine::ReadConfig(ParsedLine& line) const {
  if (!parser_->config_file.empty()) {
    SLICE_ASSIGN_OR_RETURN(line.config, ReadConfigFile(parser_->config_file));
  }
  SLICE_ASSIGN_OR_RETURN(line.settings, FillSettings(parser_->app, line.config,
                                                     parser_->structured_keys));
  if (parser_->read_structured == nullptr) return absl::OkStatus();
  return parser_->read_structured(line.config);
}

absl::Status CommandLine::RunChecks(const ParsedLine& line) const {
  std::vector<const CommandFlags*> read = {&parser_->flags};
  const std::vector<CLI::App*> commands = parser_->app.get_subcommands(nullptr);
  for (size_t i = 0; i < commands.size(); ++i) {
    if (commands[i]->get_name() == line.command)
      read.insert(read.begin(), parser_->commands[i].get());
  }
  for (const CommandFlags* flags : read) {
    for (const auto& check : flags->checks()) SLICE_RETURN_IF_ERROR(check());
  }
  return absl::OkStatus();
}

// Turns "help" into "--help", and "help COMMAND" into "COMMAND --help".
absl::Status CommandLine::AskForHelp(
    std::vector<std::string>& arguments) const {
  if (arguments.empty() || arguments[0] != "help") return absl::OkStatus();
  const std::vector<std::string> names = CommandNames(parser_->app);
  if (arguments.size() < 2 || names.empty()) {
    arguments = {"--help"};
    return absl::OkStatus();
  }
  if (std::find(names.begin(), names.end(), arguments[1]) == names.end())
    return UnknownCommand(arguments[1]);
  arguments = {arguments[1], "--help"};
  return absl::OkStatus();
}

// What is wrong with a line. `command` is the command that it names, if any,
// and `message` the error of CLI11. That error may be about what is missing,
// because something is misspelt: for an unknown command, CLI11 says that the
// command is missing.
absl::Status CommandLine::UsageError(const std::string& command,
                                     const std::string& message) const {
  const CLI::App& app = parser_->app;
  const CLI::App& asked = command.empty() ? app : *app.get_subcommand(command);
  std::vector<std::string> unknown;
  if (!asked.get_allow_extras()) unknown = app.remaining(/*recurse=*/true);
  const bool needs_command =
      command.empty() && !app.get_subcommands(nullptr).empty();
  for (const std::string& argument : unknown) {
    if (absl::StartsWith(argument, "-")) return UnknownFlag(command, argument);
    if (needs_command) return UnknownCommand(argument);
  }
  if (needs_command && absl::StrContains(message, "subcommand")) {
    return absl::InvalidArgumentError(
        absl::StrCat("a command is required: ", JoinWithOr(CommandNames(app))));
  }
  if (!unknown.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("too many arguments: ", absl::StrJoin(unknown, ", "),
                     "; a name with blanks needs quotes around it"));
  return absl::InvalidArgumentError(message);
}

absl::Status CommandLine::UnknownCommand(const std::string& name) const {
  const std::vector<std::string> names = CommandNames(parser_->app);
  const std::vector<std::string> near = NearestStrings(name, names);
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no command \"", name, "\"",
      near.empty() ? "; the commands are " + absl::StrJoin(names, ", ")
                   : DidYouMean(near)));
}

// The error for `argument`, which begins with a hyphen.
absl::Status CommandLine::UnknownFlag(const std::string& command,
                                      const std::string& argument) const {
  const CLI::App& app = parser_->app;
  const std::string flag = argument.substr(0, argument.find('='));
  std::vector<std::string> names = FlagNames(app);
  for (const CLI::App* one : app.get_subcommands(nullptr)) {
    if (!command.empty() && one->get_name() != command) continue;
    const std::vector<std::string> more = FlagNames(*one);
    names.insert(names.end(), more.begin(), more.end());
  }
  return absl::InvalidArgumentError(absl::StrCat(
      command.empty() ? "there is no flag " : command + " has no flag ", flag,
      DidYouMean(
          NearestStrings(absl::StrReplaceAll(flag, {{"_", "-"}}), names))));
}

}  // namespace slice
