// `slice-client bench`: puts a server under load and measures it.
#ifndef SLICE_CLIENT_COMMANDS_BENCH_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_BENCH_COMMAND_H_

#include "client/bench/bench_options.h"
#include "client/commands/client_command.h"

namespace slice {

// Runs every load of `options`, one after the other, and prints what they
// measured; returns the exit status. SIGINT ends the load under way, and its
// results so far are printed.
int RunBench(const LinkClient& client, const BenchOptions& options,
             const CommandOutput& output);

ClientRun DefineBench(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_BENCH_COMMAND_H_
