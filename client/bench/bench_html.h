// The results of `slice-client bench` as an HTML page.
#ifndef SLICE_CLIENT_BENCH_BENCH_HTML_H_
#define SLICE_CLIENT_BENCH_BENCH_HTML_H_

#include <string>

#include "client/bench/bench_report.h"

namespace slice {

// A page that needs no other file: tiles, the latency-throughput curve and the
// latency by percentile as inline SVG, and a table.
std::string BenchHtml(const BenchReport& report);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_HTML_H_
