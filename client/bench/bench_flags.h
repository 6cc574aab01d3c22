// The flags of `slice-client bench`.
#ifndef SLICE_CLIENT_BENCH_BENCH_FLAGS_H_
#define SLICE_CLIENT_BENCH_BENCH_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/bench_options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace slice {

// As typed.
struct BenchFlags {
  BenchOptions options;
  std::vector<int> concurrency;
  std::vector<double> rates;
  std::string load_class;  // empty = the server's choice
  std::string duration = "15s";
  std::string warmup = "2s";
  std::string format;  // empty = table, or JSON after --json
};

// Adds all but those that other commands have too.
void AddBenchFlags(CLI::App* command, BenchFlags* flags);

// INVALID_ARGUMENT naming the flag and its value.
absl::StatusOr<BenchOptions> ParseBenchFlags(const BenchFlags& flags,
                                             bool json);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_FLAGS_H_
