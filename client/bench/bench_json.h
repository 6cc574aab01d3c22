// The results of `slice-client bench` as JSON; docs/load.md lists the keys.
#ifndef SLICE_CLIENT_BENCH_BENCH_JSON_H_
#define SLICE_CLIENT_BENCH_BENCH_JSON_H_

#include <string>

#include "client/bench/bench_report.h"

namespace slice {

// The figures of one load test, as a JSON object on one line.
std::string BenchJson(const BenchReport& report, const BenchLoad& load);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_JSON_H_
