// What `slice-client bench` is asked to do.
#ifndef SLICE_CLIENT_BENCH_OPTIONS_H_
#define SLICE_CLIENT_BENCH_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace slice {

enum class BenchFormat { kTable, kJson, kHtml };

struct BenchOptions {
  // One load after the other: closed loops with so many callers, or open loops
  // with so many RPCs per second. One of the two is empty.
  std::vector<int> concurrency;
  std::vector<double> rates;

  int links_per_rpc = 1;
  int connections = 1;
  size_t max_outstanding = 10000;  // calls of an open loop
  absl::Duration duration = absl::Seconds(15);
  absl::Duration warmup = absl::Seconds(2);
  bool until_unavailable = false;
  std::string explanation = "none";  // or "context", "full"

  std::string links_path;     // empty = drawn from the graph
  bool exact_keys = false;    // of the nodes in the file
  size_t drawn_links = 8192;  // how many different ones
  uint64_t seed = 1;

  BenchFormat format = BenchFormat::kTable;
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_OPTIONS_H_
