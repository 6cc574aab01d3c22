// Speed of random walks and of skip-gram, one thread unless said, on every data
// set below --data-dir (SLICE_DATASETS) and, with --large, on a uniform graph
// of 1 M nodes and 20 M links.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "common/processor_count.h"
#include "common/random.h"
#include "graphstore/graph_view.h"
#include "tests/benchmarks/dataset_workloads.h"
#include "tests/benchmarks/run_benchmarks.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/embedding/random_walks.h"
#include "trainer/embedding/skip_gram.h"
#include "trainer/embedding/walk_graph.h"

namespace slice {
namespace {

constexpr int kWalkLength = 80;
constexpr int kDim = 128;

std::vector<NodeId> ShuffledStarts(const WalkGraph& graph) {
  std::vector<NodeId> starts = graph.LinkedNodes();
  Random random(1);
  std::shuffle(starts.begin(), starts.end(), random);
  return starts;
}

// Steps per second of walks with the given p and q.
void Walks(benchmark::State& state, const WalkGraph* graph, double p,
           double q) {
  const std::vector<NodeId> starts = ShuffledStarts(*graph);
  const RandomWalks walks(*graph, {kWalkLength, p, q, 1});
  const size_t batch = std::min(starts.size(), kWalksAtOnce);
  std::vector<NodeId> nodes(batch * kWalkLength);
  size_t begin = 0;
  uint64_t round = 0;
  for (auto _ : state) {
    if (begin + batch > starts.size()) {
      begin = 0;
      ++round;
    }
    walks.Walk(std::span(starts).subspan(begin, batch), round, nodes);
    benchmark::DoNotOptimize(nodes.data());
    begin += batch;
  }
  state.counters["steps/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * batch * (kWalkLength - 1)),
      benchmark::Counter::kIsRate);
}

// Pairs per second of whole rounds over all nodes, walks included.
void SkipGramRounds(benchmark::State& state, const GraphSnapshot* snapshot,
                    int threads) {
  uint64_t pairs = 0;
  const std::clock_t start = std::clock();
  for (auto _ : state) {
    Node2vecOptions options;
    options.dim = kDim;
    options.walk_length = kWalkLength;
    options.walks_per_node = 1;
    options.threads = threads;
    Node2vecSummary summary;
    const auto embeddings =
        TrainNode2vec(GraphView(*snapshot), options, &summary);
    benchmark::DoNotOptimize(embeddings->data());
    pairs += summary.pairs;
  }
  // Of the processor time of all threads: what a busy machine shows as well.
  state.counters["pairs/s of one core"] =
      static_cast<double>(pairs) * CLOCKS_PER_SEC /
      static_cast<double>(std::clock() - start);
  state.counters["pairs/s"] = benchmark::Counter(static_cast<double>(pairs),
                                                 benchmark::Counter::kIsRate);
}

void RegisterWalks(const std::string& name, const WalkGraph* graph) {
  benchmark::RegisterBenchmark(("FirstOrderWalks/" + name).c_str(), Walks,
                               graph, 1.0, 1.0);
  benchmark::RegisterBenchmark(("SecondOrderWalks/p=0.25,q=4/" + name).c_str(),
                               Walks, graph, 0.25, 4.0);
  benchmark::RegisterBenchmark(("SecondOrderWalks/p=4,q=0.25/" + name).c_str(),
                               Walks, graph, 4.0, 0.25);
}

// The same graph with weights between 0.1 and 3.1.
std::shared_ptr<const GraphSnapshot> WithWeights(const GraphSnapshot& from) {
  GraphData data{from.Catalogue(), {}, {}};
  Random random(1);
  for (NodeId node = 0; node < from.node_count(); ++node) {
    const ArcSpan arcs = from.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      data.links.push_back({node, arcs.relations[i], arcs.neighbors[i]});
      data.weights.push_back(0.1f + 3 * static_cast<float>(random.Uniform()));
    }
  }
  return BuildSnapshotOrDie(data);
}

void RegisterSkipGram(const std::string& name, const GraphSnapshot* snapshot) {
  for (const int threads : {1, 2}) {
    if (threads > ProcessorCount()) continue;
    benchmark::RegisterBenchmark(
        ("Node2vec/" + name + "/threads=" + std::to_string(threads)).c_str(),
        SkipGramRounds, snapshot, threads)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

int Main(int argc, char** argv) {
  const auto data_directory = TakeDataDirectory(&argc, argv);
  const bool large = TakeLarge(&argc, argv);
  benchmark::Initialize(&argc, argv);
  const std::vector<Workload> workloads =
      DatasetWorkloads(data_directory, /*max_links=*/1);
  std::vector<std::unique_ptr<const WalkGraph>> graphs;
  for (const Workload& workload : workloads) {
    graphs.push_back(
        std::make_unique<WalkGraph>(GraphView(*workload.snapshot)));
    RegisterWalks(workload.name, graphs.back().get());
    const auto weighted = WithWeights(*workload.snapshot);
    graphs.push_back(std::make_unique<WalkGraph>(GraphView(*weighted)));
    RegisterWalks(workload.name + "/weighted", graphs.back().get());
  }
  for (const Workload& workload : workloads) {
    RegisterSkipGram(workload.name, workload.snapshot.get());
  }
  if (large) {
    const auto snapshot = UniformSnapshot(1'000'000, 20'000'000);
    graphs.push_back(std::make_unique<WalkGraph>(GraphView(*snapshot)));
    RegisterWalks("uniform-20M", graphs.back().get());
  }
  return RunBenchmarks();
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
