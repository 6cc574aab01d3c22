// Time of the spectral factors of one fold, on every data set below --data-dir
// (SLICE_DATASETS) and, with --large, on a uniform graph of 1 M nodes and 20 M
// links.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "graphstore/graph_view.h"
#include "tests/benchmarks/dataset_workloads.h"
#include "tests/benchmarks/run_benchmarks.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {
namespace {

void Factors(benchmark::State& state, const GraphSnapshot* snapshot, int rank) {
  const LinkFolds folds(6, 1);
  for (auto _ : state) {
    GraphView view(*snapshot);
    view.HideFold(&folds, 0);
    const auto factors = ComputeSpectralFactors(view, {.rank = rank});
    benchmark::DoNotOptimize(factors->singular_values.data());
  }
}

int Main(int argc, char** argv) {
  const auto data_directory = TakeDataDirectory(&argc, argv);
  const bool large = TakeLarge(&argc, argv);
  benchmark::Initialize(&argc, argv);
  const std::vector<Workload> workloads =
      DatasetWorkloads(data_directory, /*max_links=*/1);
  for (const Workload& workload : workloads) {
    for (const int rank : {64, 128}) {
      benchmark::RegisterBenchmark(
          ("Spectral/" + workload.name + "/" + std::to_string(rank)).c_str(),
          Factors, workload.snapshot.get(), rank)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  }
  std::shared_ptr<const GraphSnapshot> uniform;
  if (large) {
    uniform = UniformSnapshot(1'000'000, 20'000'000);
    benchmark::RegisterBenchmark("Spectral/uniform-20M/32", Factors,
                                 uniform.get(), 32)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  return RunBenchmarks();
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
