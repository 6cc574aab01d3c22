// Cutting contexts and computing pair features allocate nothing once their
// memory is large enough. This program replaces operator new to count.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <tuple>
#include <vector>

#include "context/context_generator.h"
#include "context/link_encoder.h"
#include "context/pair_features.h"
#include "context/slot_compatibility.h"
#include "graphstore/graph_view.h"
#include "tests/testing/random_multigraph.h"

namespace {

std::atomic<size_t> allocations = 0;

void* CountedAllocation(size_t size) {
  ++allocations;
  void* memory = std::malloc(std::max<size_t>(size, 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) { return CountedAllocation(size); }
void* operator new[](size_t size) { return CountedAllocation(size); }
// std::stable_sort takes its buffer from this one.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(std::max<size_t>(size, 1));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }

namespace slice {
namespace {

constexpr size_t kLinks = 400;

// Hubs beyond every sample, isolated nodes, self loops, parallel relations.
GraphData HubGraph() {
  return RandomMultigraph({.nodes = 1500, .links = 9000, .hubs = 3}, 5);
}

std::vector<Link> QueriesIn(const GraphData& data) {
  std::vector<Link> queries;
  for (size_t i = 0; i < kLinks; ++i) {
    Link link = data.links[i * 17 % data.links.size()];
    if (i % 3 == 0) link.target = data.links[i * 29 % 1000].target;
    queries.push_back(link);
  }
  return queries;
}

// How often `work` allocates per round after a first round.
template <typename Work>
size_t AllocationsOf(Work work) {
  work();
  const size_t before = allocations;
  work();
  return allocations - before;
}

TEST(Allocations, AreCounted) {
  EXPECT_EQ(AllocationsOf([] { std::vector<int>(100); }), 1);
}

using Case = std::tuple<ContextStrategy, int>;  // max_degree

class SteadyState : public testing::TestWithParam<Case> {};

TEST_P(SteadyState, CutsContextsWithoutAllocating) {
  const GraphData data = HubGraph();
  const auto snapshot = BuildSnapshotOrDie(data);
  const std::vector<Link> queries = QueriesIn(data);
  ContextOptions options;
  std::tie(options.strategy, options.max_degree) = GetParam();
  const ContextGenerator generator(options);
  std::vector<ContextSubgraph> contexts(queries.size());
  EXPECT_EQ(AllocationsOf([&] {
              for (size_t i = 0; i < queries.size(); ++i) {
                GraphView view(*snapshot);
                view.HidePair(queries[i].source, queries[i].target);
                generator.Cut(view, queries[i], 1, contexts[i]);
              }
            }),
            0);
  // A context cut into reused memory equals one cut into new memory.
  for (size_t i = 0; i < queries.size(); i += 7) {
    GraphView view(*snapshot);
    view.HidePair(queries[i].source, queries[i].target);
    EXPECT_EQ(generator.Cut(view, queries[i], 1), contexts[i]);
  }
}

TEST_P(SteadyState, EncodesLinksWithoutAllocating) {
  const GraphData data = HubGraph();
  const auto snapshot = BuildSnapshotOrDie(data);
  const std::vector<Link> queries = QueriesIn(data);
  LinkEncoderOptions options;
  std::tie(options.context.strategy, options.context.max_degree) = GetParam();
  options.contexts_per_link = 2;
  const LinkEncoder encoder(options, snapshot->relation_count(),
                            snapshot->node_type_count(), {});
  const PairFeatureTables tables = encoder.tables().ForPairs();
  std::vector<EncodedLink> encoded(queries.size());
  EXPECT_EQ(AllocationsOf([&] {
              for (size_t i = 0; i < queries.size(); ++i) {
                encoder.Encode(encoder.QueryView(*snapshot, queries[i]),
                               queries[i], tables, encoded[i]);
              }
            }),
            0);
  for (size_t i = 0; i < queries.size(); i += 7) {
    const EncodedLink fresh = encoder.Encode(*snapshot, queries[i]);
    EXPECT_EQ(fresh.contexts, encoded[i].contexts);
    EXPECT_EQ(fresh.pair_features, encoded[i].pair_features);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Strategies, SteadyState,
    testing::Combine(testing::Values(ContextStrategy::kShortestPaths,
                                     ContextStrategy::kTypedPaths),
                     testing::Values(5, 500)));

TEST(SteadyState, ComputesPairFeaturesWithoutAllocating) {
  const GraphData data = HubGraph();
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto slots = SlotCompatibility::Build(*snapshot);
  const PathRules rules({{0, {1, 1, 0}}, {1, {-1, 2, 0}}},
                        {PathRules::Confidences{}, PathRules::Confidences{}});
  const PairFeatures features(snapshot->relation_count(),
                              snapshot->node_type_count());
  PairFeatureTables tables;
  tables.slots = &*slots;
  tables.rules = &rules;
  const std::vector<Link> queries = QueriesIn(data);
  std::vector<float> values(features.names().size());
  EXPECT_EQ(AllocationsOf([&] {
              for (const Link& query : queries) {
                GraphView view(*snapshot);
                view.HidePair(query.source, query.target);
                features.Compute(view, query, tables, values);
              }
            }),
            0);
}

}  // namespace
}  // namespace slice
