// The results of `slice-client bench` as a table for a terminal.
#ifndef SLICE_CLIENT_BENCH_BENCH_TABLE_H_
#define SLICE_CLIENT_BENCH_BENCH_TABLE_H_

#include <string>

#include "client/bench/bench_report.h"
#include "client/text_style.h"

namespace slice {

// One row for each load.
std::string BenchTable(const BenchReport& report, const TextStyle& style);

}  // namespace slice

#endif  // SLICE_CLIENT_BENCH_BENCH_TABLE_H_
