// The command line of a program with commands, such as slice-graph.
//
// Each command is one row of a table: its name, one line of help, and a
// function that adds the command's flags and returns another function, which
// runs the command.
//
//   using Run = std::function<absl::Status(std::ostream& out)>;
//
//   Run DefineStats(CommandFlags& flags) {
//     auto options = std::make_shared<StatsOptions>();
//     flags.Add("--data-dir", options->data_dir, "directory of the graph");
//     return [options](std::ostream& out) { return RunStats(*options, out); };
//   }
//
//   const Command<Run> kCommands[] = {
//       {"stats", "Counts, degrees and hubs", DefineStats},
//   };
//
// run_program.h runs such a table where commands return a status.
#ifndef SLICE_COMMON_COMMAND_COMMAND_LINE_H_
#define SLICE_COMMON_COMMAND_COMMAND_LINE_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/command/flags.h"
#include "common/command/settings.h"
#include "common/config/config_value.h"

namespace slice {

struct Program {
  std::string name;          // "slice-graph"
  std::string summary = "";  // one line
  std::string footer = "";   // below the program's help; may be empty
  // Whether the last value counts when a flag is given twice. If not, a second
  // value is a usage error.
  bool last_flag_counts = false;
  // Whether the program has --config, --check-config and --print-config, and
  // takes the flags that its line lacks from variables and from that file
  // (common/command/settings.h). For programs without commands.
  bool has_config = false;
  std::vector<StructuredKey> structured_keys = {};
  // Reads these keys from the file, if there is one, once all flags are read.
  std::function<absl::Status(const std::optional<ConfigValue>& file)>
      read_structured = nullptr;
};

// A row of the table. `shared` are the values that all commands use, such as
// those of the program's own flags.
template <typename Run, typename... Shared>
struct Command {
  const char* name;
  const char* summary;
  Run (*define)(CommandFlags& flags, Shared&... shared);
};

// What a command line asks for.
struct ParsedLine {
  // The command that the line names, even where its flags are wrong. Empty when
  // the line names none.
  std::string command;
  // INVALID_ARGUMENT saying what is wrong with the line.
  absl::Status status;
  // The output of --help, --version, --check-config or --print-config. Nothing
  // runs when it is not empty.
  std::string text;
  // Of a program with a configuration: the values of its flags, and the file
  // that --config named.
  std::vector<Setting> settings = {};
  std::optional<ConfigValue> config = std::nullopt;
};

// Thread-compatible.
class CommandLine {
 public:
  explicit CommandLine(const Program& program);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // The program's own flags, which may be before a command's name and behind
  // it. The reference is valid as long as this CommandLine.
  CommandFlags& flags();
  // Adds a command, of which Parse then requires one on the line. Returns its
  // flags; the reference is valid as long as this CommandLine.
  CommandFlags& AddCommand(const std::string& name, const std::string& summary);

  // Reads the flags into their variables. `help` and `help COMMAND` mean --help
  // and COMMAND --help. The checks of the command's flags run
  // before the checks of the program's flags. Call Parse once. `argc` and
  // `argv` are those of main.
  ParsedLine Parse(int argc, const char* const* argv);
  ParsedLine Parse(std::vector<std::string> arguments);  // without the program

 private:
  struct Parser;

  absl::Status AskForHelp(std::vector<std::string>& arguments) const;
  absl::Status UsageError(const std::string& command,
                          const std::string& message) const;
  absl::Status UnknownCommand(const std::string& name) const;
  absl::Status UnknownFlag(const std::string& command,
                           const std::string& argument) const;
  absl::Status ReadConfig(ParsedLine& line) const;
  absl::Status RunChecks(const ParsedLine& line) const;

  const std::unique_ptr<Parser> parser_;
};

// A parsed command line, and the function that runs the command it names.
template <typename Run>
struct ParsedCommand {
  ParsedLine line;
  Run run;  // set when line.status is OK and line.text is empty
};

// Adds the commands of a table to `line` and parses the arguments.
template <typename Run, typename... Shared>
ParsedCommand<Run> ParseCommand(
    CommandLine& line,
    std::span<const std::type_identity_t<Command<Run, Shared...>>> commands,
    int argc, const char* const* argv, Shared&... shared) {
  std::vector<Run> runs;
  for (const Command<Run, Shared...>& command : commands) {
    runs.push_back(command.define(
        line.AddCommand(command.name, command.summary), shared...));
  }
  ParsedCommand<Run> parsed{line.Parse(argc, argv), {}};
  for (size_t i = 0; i < runs.size(); ++i) {
    if (parsed.line.command == commands[i].name)
      parsed.run = std::move(runs[i]);
  }
  return parsed;
}

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_COMMAND_LINE_H_
