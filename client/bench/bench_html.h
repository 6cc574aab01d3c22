// The results of `slice-client bench` as an HTML page.
#ifndef SLICE_CLIENT_BENCH_BENCH_HTML_H_
#define SLICE_CLIENT_BENCH_BENCH_HTML_H_

#include <string>

#include "client/bench/bench_report.h"

namespace slice {

// Returns a page that needs no other file. It has tiles with the best load, the
// latency by throughput and by percentile as inline SVG charts, and tables.
std::string BenchHtml(const BenchReport& report);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_HTML_H_
