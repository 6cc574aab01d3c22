// slice-client: asks a slice server for link predictions and their reasons.
#include <iostream>
#include <variant>

#include "client/command_line.h"
#include "client/commands.h"
#include "client/text_style.h"
#include "common/lock_order.h"

int main(int argc, char** argv) {
  slice::DisableLockOrderChecks();
  const auto parsed = slice::ParseCommandLine(argc, argv);
  if (const auto* exit = std::get_if<slice::EarlyExit>(&parsed)) {
    (exit->status == 0 ? std::cout : std::cerr) << exit->text;
    return exit->status;
  }
  const auto& line = std::get<slice::CommandLine>(parsed);
  return slice::RunCommand(
      line, {std::cout, std::cerr, slice::DetectTextStyle(line.ascii)});
}
