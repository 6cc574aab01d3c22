// What reading a graph costs a request: neighbourhoods, hiding, names.
#include <map>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "common/random.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"
#include "graphstore/name_resolver.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

// 50,000 nodes and 500,000 links; node 0 is an end of one link in five.
const GraphSnapshot& Snapshot() {
  static const std::shared_ptr<const GraphSnapshot> snapshot =
      BuildSnapshotOrDie(RandomMultigraph({.nodes = 50'000,
                                           .links = 500'000,
                                           .relations = 8,
                                           .hubs = 1,
                                           .hub_rate = 0.2},
                                          1));
  return *snapshot;
}

NodeId AnyNode(Random* random) {
  return random->Below(static_cast<uint32_t>(Snapshot().node_count()));
}

// A view that hides one pair, as every request does, after `slots` relations
// hidden at the hub.
GraphView MakeView(int64_t slots) {
  GraphView view(Snapshot());
  for (int64_t relation = 0; relation < slots; ++relation)
    view.HideRelationAtSource(0, static_cast<RelationId>(relation));
  view.HidePair(17, Snapshot().DistinctNeighbors(17)[0]);
  return view;
}

void BM_ReadNeighbors(benchmark::State& state) {
  const GraphView view = MakeView(state.range(0));
  Random random(1);
  uint64_t sum = 0;
  for (auto _ : state) {
    view.Neighbors(AnyNode(&random)).ForEach([&](NodeId node) { sum += node; });
  }
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(BM_ReadNeighbors)->Arg(0)->Arg(1);

void BM_ReadArcs(benchmark::State& state) {
  const GraphView view = MakeView(state.range(0));
  Random random(1);
  uint64_t sum = 0;
  for (auto _ : state) {
    view.ForEachArc(AnyNode(&random),
                    [&](const Arc& arc) { sum += arc.relation; });
  }
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(BM_ReadArcs)->Arg(0)->Arg(1);

void BM_SlotDegree(benchmark::State& state) {
  const GraphView view = MakeView(state.range(0));
  Random random(1);
  size_t sum = 0;
  for (auto _ : state)
    sum += view.SlotDegree(AnyNode(&random), 3, Direction::kIn);
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(BM_SlotDegree)->Arg(0)->Arg(1);

void BM_HidePair(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) {
    const NodeId node = AnyNode(&random);
    GraphView view(Snapshot());
    view.HidePair(node, 0);
    benchmark::DoNotOptimize(view.NeighborCount(node));
  }
}
BENCHMARK(BM_HidePair);

void BM_HideRelationAtAnySource(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) {
    const NodeId node = AnyNode(&random);
    GraphView view(Snapshot());
    view.HideRelationAtSource(node, 0);
    benchmark::DoNotOptimize(view.NeighborCount(node));
  }
}
BENCHMARK(BM_HideRelationAtAnySource);

void BM_HideRelationAtTheHub(benchmark::State& state) {
  for (auto _ : state) {
    GraphView view(Snapshot());
    view.HideRelationAtSource(0, 0);
    benchmark::DoNotOptimize(view.NeighborCount(0));
  }
}
BENCHMARK(BM_HideRelationAtTheHub);

// Links between any two nodes, as many as the argument.
GraphChanges SomeLinks(int64_t count) {
  Random random(2);
  std::map<Link, float> links;
  while (links.size() < static_cast<size_t>(count)) {
    const Link link = {AnyNode(&random),
                       static_cast<RelationId>(random.Below(8)),
                       AnyNode(&random)};
    links.emplace(link, 1.0f);
  }
  GraphChanges changes;
  for (const auto& [link, weight] : links)
    changes.added_links.push_back({link, weight});
  return changes;
}

// The next version of the graph: with 8 links what a question "what if" costs,
// with 1,000 a batch of live changes.
void BM_Apply(benchmark::State& state) {
  const GraphChanges changes = SomeLinks(state.range(0));
  for (auto _ : state)
    benchmark::DoNotOptimize(Snapshot().Apply(changes, 1).value());
}
BENCHMARK(BM_Apply)->Arg(8)->Arg(1000);

// BM_ReadNeighbors in a version where most pages have a changed row.
void BM_ReadNeighborsOfAChangedGraph(benchmark::State& state) {
  const auto changed = Snapshot().Apply(SomeLinks(1000), 1).value();
  const GraphView view(*changed);
  Random random(1);
  uint64_t sum = 0;
  for (auto _ : state) {
    view.Neighbors(AnyNode(&random)).ForEach([&](NodeId node) { sum += node; });
  }
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(BM_ReadNeighborsOfAChangedGraph);

void BM_ResolveKey(benchmark::State& state) {
  Random random(1);
  for (auto _ : state) {
    const std::string key = absl::StrCat("n", AnyNode(&random));
    benchmark::DoNotOptimize(ResolveKeyOrName(Snapshot(), key));
  }
}
BENCHMARK(BM_ResolveKey);

// What an unknown name costs: a pass over all names.
void BM_NearMisses(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(Snapshot().names().NearMisses("Noed 1234x"));
}
BENCHMARK(BM_NearMisses);

}  // namespace
}  // namespace slice

BENCHMARK_MAIN();
