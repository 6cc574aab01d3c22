// The program slice-client.
#ifndef SLICE_CLIENT_COMMANDS_CLIENT_PROGRAM_H_
#define SLICE_CLIENT_COMMANDS_CLIENT_PROGRAM_H_

#include <functional>
#include <ostream>

#include "absl/time/time.h"
#include "client/text_style.h"

namespace slice {

// Where the program writes, and how it draws and waits. Tests replace all of
// it.
struct ClientSurroundings {
  std::ostream& results;
  std::ostream& messages;
  // Chooses how results are drawn; `ascii` says whether --ascii was given.
  std::function<TextStyle(bool ascii)> style = DetectTextStyle;
  // Waits between the attempts of a call.
  std::function<void(absl::Duration)> sleep = nullptr;
};

// Runs the command that the command line names and returns the exit status
// (client/exit_codes.h). `argc` and `argv` are those of main. Reads the
// environment variable SLICE_SERVER. The status is kExitFailure when results
// cannot be written.
int RunClientProgram(int argc, const char* const* argv,
                     const ClientSurroundings& surroundings);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CLIENT_PROGRAM_H_
