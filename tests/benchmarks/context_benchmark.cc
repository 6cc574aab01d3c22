// Time per link of contexts and pair features, on a random multigraph with a
// hub of 100,000 links and on every benchmark data set below $SLICE_DATASETS.
// Beside the time, counters give the medians of context size and distance.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "context/context_generator.h"
#include "context/pair_features.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr size_t kLinks = 5000;

// A graph and the links to ask about, half of them positive.
struct Workload {
  std::string name;
  std::shared_ptr<const GraphSnapshot> snapshot;
  std::vector<Link> links;
};

Workload HubWorkload() {
  RandomMultigraphOptions options;
  options.nodes = 120000;
  options.links = 400000;
  options.hubs = 2;
  options.hub_rate = 0.5;
  const GraphData data = RandomMultigraph(options, 1);
  Workload workload{"hubs", BuildSnapshotOrDie(data), {}};
  for (size_t i = 0; i < kLinks; ++i) {
    const Link& link = data.links[i * data.links.size() / kLinks];
    const Link& other = data.links[(i * 7919 + 13) % data.links.size()];
    workload.links.push_back(
        i % 2 == 0 ? link : Link{link.source, link.relation, other.target});
  }
  return workload;
}

Workload DatasetWorkload(const std::filesystem::path& directory) {
  EdgeListImportOptions options;
  options.train = directory / "train.txt";
  options.held_out = {directory / "test.txt"};
  if (std::filesystem::exists(directory / "nodes.tsv")) {
    options.nodes = directory / "nodes.tsv";
  }
  const auto imported = ImportEdgeList(options);
  if (!imported.ok()) {
    std::fprintf(stderr, "%s\n", imported.status().ToString().c_str());
    std::exit(1);
  }
  Workload workload{
      directory.filename().string(), BuildSnapshotOrDie(imported->data), {}};
  const auto& test = imported->held_out.front();
  const size_t count = std::min(kLinks, test.size());
  for (size_t i = 0; i < count; ++i) {
    workload.links.push_back(test[i * test.size() / count].link);
  }
  return workload;
}

std::string Histogram(const std::map<int, int>& counts) {
  std::string text;
  for (const auto& [value, count] : counts) {
    text += std::to_string(value) + ":" + std::to_string(count) + " ";
  }
  return text;
}

void Contexts(benchmark::State& state, const Workload* workload,
              ContextStrategy strategy) {
  ContextOptions options;
  options.strategy = strategy;
  const ContextGenerator generator(options);
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

void Features(benchmark::State& state, const Workload* workload) {
  const GraphSnapshot& snapshot = *workload->snapshot;
  const PairFeatures features(snapshot.relation_count(),
                              snapshot.node_type_count());
  std::vector<float> values(features.names().size());
  for (auto _ : state) {
    for (const Link& link : workload->links) {
      GraphView view(snapshot);
      view.HidePair(link.source, link.target);
      features.Compute(view, link, values);
      benchmark::DoNotOptimize(values.data());
    }
  }
  state.counters["features"] = static_cast<double>(values.size());
  state.counters["s_per_link"] = benchmark::Counter(
      static_cast<double>(state.iterations() * workload->links.size()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void Register(const Workload* workload) {
  for (const ContextStrategy strategy :
       {ContextStrategy::kShortestPaths, ContextStrategy::kRandomWalks}) {
    const std::string name = "Contexts/" + workload->name + "/" +
                             std::string(ContextStrategyName(strategy));
    benchmark::RegisterBenchmark(name.c_str(), Contexts, workload, strategy)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark(("Features/" + workload->name).c_str(), Features,
                               workload)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::vector<std::unique_ptr<slice::Workload>> workloads;
  workloads.push_back(std::make_unique<slice::Workload>(slice::HubWorkload()));
  if (const char* datasets = std::getenv("SLICE_DATASETS")) {
    for (const auto& entry : std::filesystem::directory_iterator(datasets)) {
      if (!std::filesystem::exists(entry.path() / "train.txt")) continue;
      workloads.push_back(std::make_unique<slice::Workload>(
          slice::DatasetWorkload(entry.path())));
    }
  }
  for (const auto& workload : workloads) slice::Register(workload.get());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
