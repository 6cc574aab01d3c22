// slice-client: asks a slice server for link predictions and their reasons.
#include <grpc/support/log.h>

#include <cstdlib>
#include <iostream>

#include "client/commands/client_program.h"
#include "common/header_blocks.h"
#include "common/header_guard.h"
#include "common/lock_order.h"

namespace {

// What gRPC logs about a failed connection is in the error of the call, too.
void DropGrpcLog() {
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  gpr_set_log_function([](gpr_log_func_args*) {});
}

}  // namespace

int main(int argc, char** argv) {
  slice::DisableLockOrderChecks();
  slice::IgnoreInternalHeaders();
  slice::LimitHeaderBlocks();
  DropGrpcLog();
  return slice::RunClientProgram(argc, argv,
                                 {.results = std::cout, .messages = std::cerr});
}
