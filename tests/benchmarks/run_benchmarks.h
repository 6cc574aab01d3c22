// How a program of benchmarks ends.
#ifndef SLICE_TESTS_BENCHMARKS_RUN_BENCHMARKS_H_
#define SLICE_TESTS_BENCHMARKS_RUN_BENCHMARKS_H_

#include <benchmark/benchmark.h>

namespace slice {

// Runs what was registered, after benchmark::Initialize(). Returns the exit
// status of the program.
inline int RunBenchmarks() {
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace slice

#endif  // SLICE_TESTS_BENCHMARKS_RUN_BENCHMARKS_H_
