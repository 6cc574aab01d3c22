// Time per link of contexts and pair features, on a random multigraph with a
// hub of 100,000 links and on every data set below --data-dir (SLICE_DATASETS).
// Contexts take turns with a plain breadth-first search for shortest paths.
#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "common/random.h"
#include "context/context_generator.h"
#include "context/pair_features.h"
#include "context/pattern_paths.h"
#include "context/shortest_path_search.h"
#include "context/slot_compatibility.h"
#include "context/spectral_vectors.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/graph_view.h"
#include "tests/benchmarks/dataset_workloads.h"
#include "tests/benchmarks/plain_bfs.h"
#include "tests/benchmarks/run_benchmarks.h"
#include "trainer/statistics/rule_mining.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {
namespace {

// Many: the first of them find caches that the plain search has used.
constexpr size_t kLinks = 20000;
constexpr size_t kPlainLinks = 50;  // a turn of the plain search
constexpr size_t kMaxPaths = 256;   // as many as ShortestPathSearch lists
constexpr size_t kMostNodes = 64;   // of a context
constexpr size_t kMetapathLinks = 2000;
constexpr size_t kDim = 128;
constexpr int kSpectralRank = 64;

// Counts of the values from -1 on.
class Histogram {
 public:
  void Add(int value) { ++counts_[static_cast<size_t>(value + 1)]; }

  std::string OverRounds(int rounds) const {
    std::string text;
    for (size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] == 0) continue;
      text += std::to_string(static_cast<int>(i) - 1) + ":" +
              std::to_string(counts_[i] / rounds) + " ";
    }
    return text;
  }

 private:
  std::array<int, kMostNodes + 2> counts_ = {};
};

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

GraphView ViewWithout(const Workload& workload, const Link& link) {
  GraphView view(*workload.snapshot);
  view.HidePair(link.source, link.target);
  return view;
}

// The plain search over the links of a workload, some at a time.
class PlainTurns {
 public:
  PlainTurns(const Workload& workload, int max_hops)
      : workload_(workload), max_hops_(max_hops) {}

  void Take() {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < kPlainLinks; ++i) {
      const Link& link = workload_.links[next_++ % workload_.links.size()];
      if (link.source == link.target) continue;
      const GraphView view = ViewWithout(workload_, link);
      benchmark::DoNotOptimize(FindPathsByPlainBfs(
          view, link.source, link.target, max_hops_, kMaxPaths));
    }
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    seconds_ += took.count();
  }

  double LinksPerSecond() const {
    return static_cast<double>(next_) / seconds_;
  }

 private:
  const Workload& workload_;
  const int max_hops_;
  size_t next_ = 0;
  double seconds_ = 0;
};

// Whether both searches agree on the paths of the first links, as far as no
// bound cut one short.
bool AgreesWithPlainSearch(const Workload& workload, int max_hops) {
  ShortestPathSearch search;
  std::vector<NodeId> inner;
  for (size_t i = 0; i < kPlainLinks; ++i) {
    const Link& link = workload.links[i];
    if (link.source == link.target) continue;
    const GraphView view = ViewWithout(workload, link);
    const int hops =
        search.Find(view, {.max_hops = max_hops}, link.source, link.target);
    if (search.truncated()) continue;
    const PlainPaths plain = FindPathsByPlainBfs(view, link.source, link.target,
                                                 max_hops, kMaxPaths);
    size_t paths = 0;
    while (hops > 0 && search.Next(inner)) ++paths;
    if (hops != plain.hops || paths != plain.inner.size()) return false;
  }
  return true;
}

void Contexts(benchmark::State& state, const Workload* workload,
              const StrategyInputs* inputs, ContextStrategy strategy) {
  ContextOptions options;
  options.strategy = strategy;
  options.metapaths = inputs->metapaths;
  if (!AgreesWithPlainSearch(*workload, options.max_hops)) {
    state.SkipWithError("the shortest paths are not those of a plain search");
    return;
  }
  const ContextGenerator generator(options, {inputs->vectors, kDim});
  PlainTurns plain(*workload, options.max_hops);
  ContextSubgraph context;
  Histogram sizes, distances;
  int truncated = 0;
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    for (const Link& link : workload->links) {
      generator.Cut(ViewWithout(*workload, link), link, 1, context);
      sizes.Add(static_cast<int>(context.tokens.size()));
      distances.Add(context.distance);
      truncated += context.truncated;
    }
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    seconds += took.count();
    state.PauseTiming();
    plain.Take();
    state.ResumeTiming();
  }
  const auto rounds = static_cast<int>(state.iterations());
  const auto links =
      static_cast<double>(state.iterations() * workload->links.size());
  state.counters["truncated"] = static_cast<double>(truncated) / rounds;
  state.counters["s_per_link"] = benchmark::Counter(
      links, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["links/s"] =
      benchmark::Counter(links, benchmark::Counter::kIsRate);
  state.counters["times a plain BFS"] =
      links / seconds / plain.LinksPerSecond();
  state.SetLabel("nodes " + sizes.OverRounds(rounds) + "| hops " +
                 distances.OverRounds(rounds));
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
    PairFeatureTables tables;
    if (slots_) tables.slots = &*slots_;
    if (spectral_) tables.spectral = &*spectral_;
    tables.rules = &rules_;
    return tables;
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
      features.Compute(ViewWithout(*workload, link), link, tables.tables(),
                       values);
      benchmark::DoNotOptimize(values.data());
    }
  }
  const auto links =
      static_cast<double>(state.iterations() * workload->links.size());
  state.counters["features"] = static_cast<double>(values.size());
  state.counters["s_per_link"] = benchmark::Counter(
      links, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["links/s"] =
      benchmark::Counter(links, benchmark::Counter::kIsRate);
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
  return RunBenchmarks();
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
