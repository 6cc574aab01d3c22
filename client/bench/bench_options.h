// The options of `slice-client bench`.
#ifndef SLICE_CLIENT_BENCH_BENCH_OPTIONS_H_
#define SLICE_CLIENT_BENCH_BENCH_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace slice {

enum class BenchFormat { kTable, kJson, kHtml };

// The request class that a call names. With kDefault it names none, and the
// server chooses.
enum class LoadClass { kDefault, kInteractive, kBulk };

struct BenchOptions {
  // The loads, which run one after the other. Each entry of `concurrency` is a
  // closed loop with that many callers. Each entry of `rates` is an open loop
  // with that many RPCs per second. One of the two lists is empty.
  std::vector<int> concurrency;
  std::vector<double> rates;

  int links_per_rpc = 1;
  LoadClass load_class = LoadClass::kDefault;
  // In a mix, the share of the RPCs that are bulk; each of them has
  // bulk_links_per_rpc links. The other RPCs are interactive and have
  // links_per_rpc links. 0: there is no mix.
  double bulk_share = 0;
  int bulk_links_per_rpc = 0;
  int connections = 1;
  int streams = 0;                 // 0: unary calls
  size_t max_outstanding = 10000;  // most calls of an open loop under way
  absl::Duration duration = absl::Seconds(15);
  absl::Duration warmup = absl::Seconds(2);
  // The p99 that the best load may have; see BestLoad.
  absl::Duration latency_bound = absl::Milliseconds(50);
  bool until_unavailable = false;    // the first UNAVAILABLE ends a load
  std::string explanation = "none";  // or "context", "full"
  int what_if_changes = 0;           // that each request imagines

  std::string links_path;     // empty: links are drawn from the graph
  bool exact_keys = false;    // the file names nodes by key
  size_t drawn_links = 8192;  // how many different links to draw
  uint64_t seed = 1;

  BenchFormat format = BenchFormat::kTable;

  bool mixed() const { return bulk_share > 0; }
};

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_OPTIONS_H_
