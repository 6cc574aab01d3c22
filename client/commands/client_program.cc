// The table of commands, and the program: it reads the flags, makes a client
// from them (which sends nothing yet), runs the command with this client, and
// returns the exit status.
#include "client/commands/client_program.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "client/commands/bench_command.h"
#include "client/commands/checkpoint_command.h"
#include "client/commands/client_command.h"
#include "client/commands/client_flags.h"
#include "client/commands/explain_command.h"
#include "client/commands/find_command.h"
#include "client/commands/health_command.h"
#include "client/commands/info_command.h"
#include "client/commands/models_command.h"
#include "client/commands/neighbors_command.h"
#include "client/commands/predict_command.h"
#include "client/commands/queue_command.h"
#include "client/commands/recommend_command.h"
#include "client/commands/relations_command.h"
#include "client/commands/reload_command.h"
#include "client/commands/update_command.h"
#include "client/exit_codes.h"
#include "client/link_client.h"
#include "common/command/command_line.h"
#include "common/text_width.h"

namespace slice {
namespace {

constexpr ClientCommand kCommands[] = {
    {"predict", "Score a link, or many with --links", DefinePredict},
    {"explain", "Score a link and draw the reasons", DefineExplain},
    {"recommend", "Find the best targets of a source, or sources of a target",
     DefineRecommend},
    {"neighbors", "List the links of a node, with its neighbours",
     DefineNeighbors},
    {"find", "List nodes whose names start with a prefix", DefineFind},
    {"relations", "List the relations", DefineRelations},
    {"info", "Show the loaded model and its metrics", DefineInfo},
    {"health", "Ask whether the server serves", DefineHealth},
    {"queue",
     "Show what waits in the server; asks the listener of its --admin-listen",
     DefineQueue},
    {"reload",
     "Have the server read its configuration again; asks its --admin-listen",
     DefineReload},
    {"models",
     "Show and change the models that are served; asks its --admin-listen",
     DefineModels},
    {"update", "Change the graph: links and nodes, one or a file of them",
     DefineUpdate},
    {"checkpoint",
     "Copy the graph with its changes; asks the server's --admin-listen",
     DefineCheckpoint},
    {"bench", "Put the server under load and measure it", DefineBench},
};

constexpr char kFooter[] =
    "A node is given by its key, its name or type:name.\n"
    "\n"
    "  slice-client predict curl tagged role::program\n"
    "  slice-client predict --links links.tsv > scores.tsv\n"
    "  slice-client explain curl tagged role::program\n"
    "  slice-client recommend --source curl --relation tagged\n"
    "  slice-client update add curl depends fontconfig\n"
    "  slice-client bench --links-per-rpc 64 --concurrency 8\n"
    "  slice-client queue --server unix:/run/slice/admin.sock\n"
    "\n"
    "Results go to standard output, messages to standard error. Exit codes: 0 "
    "ok;\n1 failure on this machine; 2 wrong command line; 64 + the gRPC "
    "status code for the\nserver's errors. Exit codes of health: 0 serving; 1 "
    "wrong command line;\n2 no connection; 3 call failed; 4 not serving.";

int PrintUsageError(const ParsedLine& line, std::ostream& messages) {
  const std::string help =
      line.command.empty() ? "slice-client" : "slice-client " + line.command;
  const std::string message(line.status.message());
  messages << "error: " << Printable(message, "\uFFFD") << "\nrun " << help
           << " --help for more information\n";
  return line.command == "health" ? kHealthBadArguments : kExitUsage;
}

// Returns kExitFailure when results could not be written, otherwise
// `exit_status`.
int CheckWritten(int exit_status, const CommandOutput& output) {
  errno = 0;
  if (output.results.flush()) return exit_status;
  output.messages << "error: cannot write the results"
                  << (errno == 0 ? "" : ": ")
                  << (errno == 0 ? "" : std::strerror(errno)) << "\n";
  return kExitFailure;
}

}  // namespace

int RunClientProgram(int argc, const char* const* argv,
                     const ClientSurroundings& surroundings) {
  CommandLine line({.name = "slice-client",
                    .summary = "Asks a slice server for link predictions and "
                               "their reasons.",
                    .footer = kFooter});
  ClientFlags flags;
  AddClientFlags(line.flags(), flags);
  const auto parsed =
      ParseCommand<ClientRun>(line, kCommands, argc, argv, flags);
  if (!parsed.line.status.ok())
    return PrintUsageError(parsed.line, surroundings.messages);
  const CommandOutput output = {surroundings.results, surroundings.messages,
                                surroundings.style(flags.ascii), flags.json};
  if (!parsed.line.text.empty()) {
    output.results << parsed.line.text;
    return CheckWritten(kExitOk, output);
  }
  flags.client.sleep = surroundings.sleep;
  const auto client = LinkClient::Create(std::move(flags.client));
  if (!client.ok()) {
    output.messages << "error: " << client.status().message() << "\n";
    return kExitFailure;
  }
  return CheckWritten(parsed.run(**client, output), output);
}

}  // namespace slice
