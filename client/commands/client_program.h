// The program slice-client.
#ifndef SLICE_CLIENT_COMMANDS_CLIENT_PROGRAM_H_
#define SLICE_CLIENT_COMMANDS_CLIENT_PROGRAM_H_

#include <functional>
#include <ostream>

#include "absl/time/time.h"
#include "client/text_style.h"

namespace slice {

// What the program finds around it; replaced in tests.
struct ClientSurroundings {
  std::ostream& results;
  std::ostream& messages;
  // How results are drawn, given --ascii.
  std::function<TextStyle(bool ascii)> style = DetectTextStyle;
  // Waits between the attempts of a call.
  std::function<void(absl::Duration)> sleep = nullptr;
};

// Runs the command that the line names. `argv` as given to main; reads the
// variable SLICE_SERVER. Returns the exit status (client/exit_codes.h). A
// result that cannot be written is a failure.
int RunClientProgram(int argc, const char* const* argv,
                     const ClientSurroundings& surroundings);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CLIENT_PROGRAM_H_
