// What `slice-client bench` measured, and the words that its table, page and
// JSON share.
#ifndef SLICE_CLIENT_BENCH_BENCH_REPORT_H_
#define SLICE_CLIENT_BENCH_BENCH_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/bench/bench_options.h"
#include "client/bench/load_generator.h"
#include "client/link_types.h"

namespace slice {

// One load and what it measured.
struct BenchLoad {
  int concurrency = 0;  // of a closed loop
  double rate = 0;      // RPCs per second of an open loop
  GeneratedLoad load;

  // "8 at once", "250 RPC/s".
  std::string Name() const;
};

// All loads of one bench, and what they were run with.
struct BenchReport {
  ModelInfo model;
  std::string server;  // its address
  BenchOptions options;
  std::string scorer;            // as requested; empty: the bundle's default
  absl::Duration max_time;       // the deadline of a call
  size_t different_links = 0;    // how many links the requests ask about
  std::vector<BenchLoad> loads;  // in the order they ran

  // "the file links.tsv", "the graph".
  std::string LinksFrom() const;
  // Of the loads without failures whose p99 is within options.latency_bound,
  // the one with the most links per second; null when there is none.
  const BenchLoad* BestLoad() const;
};

// Which of several loads is the best, in one sentence.
std::string BestLoadText(const BenchReport& report);

// "1.23 ms", "45.1 µs", "2.05 s"; a dash for NaN and infinity. Without
// `unicode`, ASCII only.
std::string LatencyText(double seconds, bool unicode = true);

// "default", "interactive", "bulk".
const char* ClassName(LoadClass load_class);

// What the requests look like: "links per RPC 1, bulk share 0.1 of 1000 links,
// connections 4, streams 2".
std::string ShapeText(const BenchOptions& options);

// "RESOURCE_EXHAUSTED 12, UNAVAILABLE 3".
std::string ErrorCounts(const std::map<absl::StatusCode, int64_t>& errors);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_REPORT_H_
