// The flags of `slice-client bench`.
#ifndef SLICE_CLIENT_BENCH_BENCH_FLAGS_H_
#define SLICE_CLIENT_BENCH_BENCH_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "client/bench/bench_options.h"
#include "common/command/flags.h"

namespace slice {

// The options of a bench, and the values of those flags that FinishBenchFlags
// turns into options.
struct BenchFlags {
  BenchOptions options;
  std::string load_class;  // empty: the server's choice
  std::string format;      // empty: table, or JSON after --json
};

// Adds the flags of bench that no other command has.
void AddBenchFlags(CommandFlags& command, BenchFlags& flags);

// Sets the options that depend on several flags. `json` says whether --json was
// given. Call it when all flags are read. Returns INVALID_ARGUMENT, which names
// the flags, when they contradict each other.
absl::Status FinishBenchFlags(BenchFlags& flags, bool json);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_FLAGS_H_
