// slice-client: asks a slice server for link predictions and their reasons.
#include <iostream>

#include "client/commands/client_program.h"
#include "common/lock_order.h"

int main(int argc, char** argv) {
  slice::DisableLockOrderChecks();
  return slice::RunClientProgram(argc, argv,
                                 {.results = std::cout, .messages = std::cerr});
}
