// `slice-client bench`: puts a server under load and measures it.
#ifndef SLICE_CLIENT_COMMANDS_BENCH_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_BENCH_COMMAND_H_

#include "client/bench/bench_options.h"
#include "client/commands/client_command.h"

namespace slice {

// Runs the loads of `options` one after the other, prints what they measured,
// and returns the exit status. SIGINT ends the present load; the results up to
// then are printed.
int RunBench(const LinkClient& client, const BenchOptions& options,
             const CommandOutput& output);

ClientRun DefineBench(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_BENCH_COMMAND_H_
