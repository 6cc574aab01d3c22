// Time per link of contexts and pair features, on a random multigraph with a
// hub of 100,000 links and on every data set below --data_dir (SLICE_DATASETS).
#include <benchmark/benchmark.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/random.h"
#include "context/context_generator.h"
#include "context/pair_features.h"
#include "context/pattern_paths.h"
#include "context/slot_compatibility.h"
#include "context/spectral_features.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/graph_view.h"
#include "tests/benchmarks/dataset_workloads.h"
#include "trainer/rule_mining.h"
#include "trainer/spectral_factors.h"

namespace slice {
namespace {

constexpr size_t kLinks = 5000;
constexpr size_t kMetapathLinks = 2000;
constexpr size_t kDim = 128;
constexpr int kSpectralRank = 64;

std::string Histogram(const std::map<int, int>& counts) {
  std::string text;
  for (const auto& [value, count] : counts) {
    text += std::to_string(value) + ":" + std::to_string(count) + " ";
  }
  return text;
}

// What `pattern` and `coherent` need beside the graph: its commonest metapaths,
// and vectors, whose values do not matter to the time.
struct StrategyInputs {
  explicit StrategyInputs(const Workload& workload)
      : vectors(workload.snapshot->node_count() * kDim) {
    const GraphSnapshot& snapshot = *workload.snapshot;
    Random random(1);
    for (float& value : vectors) {
      value = static_cast<float>(random.Uniform() - 0.5);
    }
    std::vector<Link> sample;
    for (size_t i = 0; i < kMetapathLinks; ++i) {
      const NodeId node =
          random.Below(static_cast<uint32_t>(snapshot.node_count()));
      const ArcSpan arcs = snapshot.Arcs(node, Direction::kOut);
      if (arcs.size() == 0) continue;
      sample.push_back({node, arcs.relations[0], arcs.neighbors[0]});
    }
    metapaths = CommonMetapaths(snapshot, sample, /*max_steps=*/3,
                                /*per_relation=*/8);
  }

  std::vector<float> vectors;  // [nodes, kDim]
  std::vector<Metapath> metapaths;
};

void Contexts(benchmark::State& state, const Workload* workload,
              const StrategyInputs* inputs, ContextStrategy strategy) {
  ContextOptions options;
  options.strategy = strategy;
  options.metapaths = inputs->metapaths;
  const ContextGenerator generator(options, {inputs->vectors, kDim});
  std::map<int, int> sizes, distances;
  int truncated = 0;
  for (auto _ : state) {
    for (const Link& link : workload->links) {
      GraphView view(*workload->snapshot);
      view.HidePair(link.source, link.target);
      const ContextSubgraph context = generator.Cut(view, link, 1);
      ++sizes[static_cast<int>(context.tokens.size())];
      ++distances[context.distance];
      truncated += context.truncated;
    }
  }
  const auto rounds = static_cast<int>(state.iterations());
  for (auto* counts : {&sizes, &distances}) {
    for (auto& [value, count] : *counts) count /= rounds;
  }
  state.counters["truncated"] = static_cast<double>(truncated) / rounds;
  state.counters["s_per_link"] = benchmark::Counter(
      static_cast<double>(state.iterations() * workload->links.size()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel("nodes " + Histogram(sizes) + "| hops " +
                 Histogram(distances));
}

// The tables that features read, made as training makes them.
class FeatureTables {
 public:
  explicit FeatureTables(const GraphSnapshot& snapshot)
      : slots_(SlotCompatibility::Build(snapshot)),
        rules_(MinePathRules(snapshot, LinkFolds(1, 0),
                             {.questions = 2000, .least_questions = 8})
                   .back()) {
    auto factors =
        ComputeSpectralFactors(GraphView(snapshot), {.rank = kSpectralRank});
    const std::vector<int64_t> vectors = {
        static_cast<int64_t>(snapshot.node_count()), kSpectralRank};
    statistics_.Set("spectral.out", {vectors, factors->out_vectors});
    statistics_.Set("spectral.in", {vectors, factors->in_vectors});
    statistics_.Set("spectral.symmetric",
                    {vectors, factors->symmetric_vectors});
    statistics_.Set("spectral.singular_values",
                    {{kSpectralRank}, factors->singular_values});
    statistics_.Set("spectral.eigenvalues",
                    {{kSpectralRank}, factors->eigenvalues});
    spectral_ =
        *SpectralVectors::FromStatistics(statistics_, snapshot.node_count());
  }
  FeatureTables(const FeatureTables&) = delete;

  PairFeatureTables tables() const {
    return {slots_ ? &*slots_ : nullptr, spectral_ ? &*spectral_ : nullptr,
            &rules_};
  }

 private:
  std::optional<SlotCompatibility> slots_;
  PathRules rules_;
  GraphStatistics statistics_;
  std::optional<SpectralVectors> spectral_;  // views of statistics_
};

void Features(benchmark::State& state, const Workload* workload) {
  const GraphSnapshot& snapshot = *workload->snapshot;
  const PairFeatures features(snapshot.relation_count(),
                              snapshot.node_type_count());
  const FeatureTables tables(snapshot);
  std::vector<float> values(features.names().size());
  for (auto _ : state) {
    for (const Link& link : workload->links) {
      GraphView view(snapshot);
      view.HidePair(link.source, link.target);
      features.Compute(view, link, tables.tables(), values);
      benchmark::DoNotOptimize(values.data());
    }
  }
  state.counters["features"] = static_cast<double>(values.size());
  state.counters["s_per_link"] = benchmark::Counter(
      static_cast<double>(state.iterations() * workload->links.size()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void Register(const Workload* workload, const StrategyInputs* inputs) {
  for (const ContextStrategy strategy : AllContextStrategies()) {
    const std::string name = "Contexts/" + workload->name + "/" +
                             std::string(ContextStrategyName(strategy));
    benchmark::RegisterBenchmark(name.c_str(), Contexts, workload, inputs,
                                 strategy)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark(("Features/" + workload->name).c_str(), Features,
                               workload)
      ->Unit(benchmark::kMillisecond);
}

int Main(int argc, char** argv) {
  const auto data_directory = TakeDataDirectory(&argc, argv);
  benchmark::Initialize(&argc, argv);
  std::vector<Workload> workloads = DatasetWorkloads(data_directory, kLinks);
  workloads.push_back(HubWorkload(kLinks));
  std::deque<StrategyInputs> inputs;
  for (const Workload& workload : workloads) {
    Register(&workload, &inputs.emplace_back(workload));
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
