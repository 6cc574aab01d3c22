// The commands of slice-client, from a checked command line to an exit status.
#ifndef SLICE_CLIENT_COMMANDS_H_
#define SLICE_CLIENT_COMMANDS_H_

#include <ostream>

#include "client/command_line.h"
#include "client/link_client.h"
#include "client/text_style.h"

namespace slice {

// Where a command writes. `style` says how `results` is drawn.
struct CommandOutput {
  std::ostream& results;
  std::ostream& messages;
  TextStyle style;
};

// Each returns the exit status of exit_codes.h.
int RunPredict(const LinkClient& client, const CommandLine& line,
               const CommandOutput& output);
int RunExplain(const LinkClient& client, const CommandLine& line,
               const CommandOutput& output);
int RunRecommend(const LinkClient& client, const CommandLine& line,
                 const CommandOutput& output);
int RunNeighbors(const LinkClient& client, const CommandLine& line,
                 const CommandOutput& output);
int RunFind(const LinkClient& client, const CommandLine& line,
            const CommandOutput& output);
int RunRelations(const LinkClient& client, const CommandLine& line,
                 const CommandOutput& output);
int RunInfo(const LinkClient& client, const CommandLine& line,
            const CommandOutput& output);
int RunHealth(const LinkClient& client, const CommandLine& line,
              const CommandOutput& output);
int RunQueue(const LinkClient& client, const CommandLine& line,
             const CommandOutput& output);
int RunBench(const LinkClient& client, const CommandLine& line,
             const CommandOutput& output);

// Connects and runs the command that `line` names. A result that cannot be
// written is a failure.
int RunCommand(const CommandLine& line, const CommandOutput& output);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_H_
