#include "context/slot_compatibility.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "common/random.h"
#include "context/filled_slots.h"
#include "context/slot_profile.h"
#include "tests/context/hidings.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

std::vector<std::set<uint32_t>> SlotsOfNodes(const GraphData& data) {
  std::vector<std::set<uint32_t>> slots(data.catalogue.nodes.size());
  for (const Link& link : data.links) {
    slots[link.source].insert(SlotOf(link.relation, Direction::kOut));
    slots[link.target].insert(SlotOf(link.relation, Direction::kIn));
  }
  return slots;
}

TEST(CollectSlots, CountsWhatTheViewShows) {
  ForEachHidingCase({}, 6, 6, [](const HidingCase& test) {
    for (const NodeId node : {test.query.source, test.query.target}) {
      std::vector<SlotCount> seen, expected;
      CollectSlots(test.View(), node, seen);
      for (size_t slot = 0; slot < 2 * test.rebuilt->relation_count(); ++slot) {
        // Outgoing slots come before incoming slots.
        const size_t relations = test.rebuilt->relation_count();
        const auto relation = static_cast<RelationId>(slot % relations);
        const Direction direction =
            slot < relations ? Direction::kOut : Direction::kIn;
        const size_t count =
            test.rebuilt->Neighbors(node, relation, direction).size();
        if (count == 0) continue;
        expected.push_back(
            {SlotOf(relation, direction), static_cast<uint32_t>(count)});
      }
      ASSERT_EQ(seen.size(), expected.size()) << test.hiding;
      for (size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].slot, expected[i].slot);
        EXPECT_EQ(seen[i].count, expected[i].count);
      }
    }
  });
}

// The features from their definition, over every node but `node`.
std::vector<double> PlainFeatures(const GraphData& data, NodeId node,
                                  uint32_t slot,
                                  const std::vector<SlotCount>& visible) {
  const auto slots = SlotsOfNodes(data);
  double base = 0;
  for (NodeId other = 0; other < slots.size(); ++other) {
    base += other != node && slots[other].contains(slot);
  }
  base = std::max(base / static_cast<double>(slots.size() - 1), 1e-9);
  double highest = 0, sum = 0, lift = 0, count = 0;
  for (const SlotCount& s : visible) {
    if (s.slot == slot) continue;
    double both = 0, all = 0;
    for (NodeId other = 0; other < slots.size(); ++other) {
      if (other == node || !slots[other].contains(s.slot)) continue;
      ++all;
      both += slots[other].contains(slot);
    }
    const double confidence = (both + base) / (all + 1);
    highest = std::max(highest, confidence);
    sum += confidence;
    lift += std::log(confidence / base);
    ++count;
  }
  if (count == 0) return {0, 0, 0, 0, 0};
  return {highest, sum / count, lift, lift / count, std::log1p(count)};
}

TEST(SlotCompatibility, IsWhatTheOtherNodesShow) {
  ForEachHidingCase({}, 6, 6, [](const HidingCase& test) {
    const auto table = SlotCompatibility::Build(*test.snapshot);
    ASSERT_TRUE(table.has_value());
    std::vector<SlotCount> visible;
    const NodeId node = test.query.source;
    const uint32_t slot = SlotOf(test.query.relation, Direction::kOut);
    CollectSlots(test.View(), node, visible);
    std::array<float, SlotCompatibility::kFeatures> values;
    table->Compute(*test.snapshot, node, slot, visible, values);
    const auto expected = PlainFeatures(test.data, node, slot, visible);
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], expected[i],
                  2e-4 * std::max(1.0, std::abs(expected[i])))
          << SlotCompatibility::FeatureNames()[i];
    }
  });
}

// A hidden link must not show in the features, not even one that alone fills
// the slot: a node's own links count only through the slots that it visibly
// fills.
TEST(SlotCompatibility, DoesNotSeeTheNodesOwnHiddenSlot) {
  const GraphData with = RandomMultigraph({}, 5);
  const Link link = with.links.front();
  const GraphData without = RebuildWithout(with, [&](const Link& other) {
    return other.source == link.source && other.relation == link.relation;
  });
  const auto full = BuildSnapshotOrDie(with);
  GraphView view(*full);
  view.HideRelationAtSource(link.source, link.relation);
  std::vector<SlotCount> visible;
  CollectSlots(view, link.source, visible);
  const uint32_t slot = SlotOf(link.relation, Direction::kOut);
  std::array<float, SlotCompatibility::kFeatures> hidden;
  SlotCompatibility::Build(*full)->Compute(*full, link.source, slot, visible,
                                           hidden);
  const auto expected = PlainFeatures(with, link.source, slot, visible);
  ASSERT_GT(expected[4], 0);
  for (size_t i = 0; i < hidden.size(); ++i) {
    EXPECT_NEAR(hidden[i], expected[i], 1e-3);
  }
}

// The counts are of the training graph. A link of the node that was added or
// removed later is not in them, so that it must not be subtracted or kept.
TEST(SlotCompatibility, KnowsWhatTheNodeAddedWhateverIsServed) {
  const GraphData trained = RandomMultigraph({.links = 60}, 8);
  GraphData served = RandomMultigraph({.links = 60}, 9);
  served.catalogue = trained.catalogue;
  const auto graph = BuildSnapshotOrDie(trained);
  const auto table = SlotCompatibility::Build(*graph);
  GraphStatistics statistics;
  table->AddTo(statistics);
  const auto slot_count = static_cast<uint32_t>(2 * graph->relation_count());
  const auto restored =
      SlotCompatibility::FromStatistics(statistics, slot_count);
  ASSERT_TRUE(restored.ok() && restored->has_value());
  const auto now = BuildSnapshotOrDie(served);
  std::vector<SlotCount> visible;
  std::array<float, SlotCompatibility::kFeatures> values;
  for (NodeId node = 0; node < now->node_count(); ++node) {
    CollectSlots(GraphView(*now), node, visible);
    for (uint32_t slot = 0; slot < slot_count; ++slot) {
      (*restored)->Compute(*now, node, slot, visible, values);
      const auto expected = PlainFeatures(trained, node, slot, visible);
      for (size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], expected[i],
                    2e-4 * std::max(1.0, std::abs(expected[i])))
            << "node " << node << ", slot " << slot << ", "
            << SlotCompatibility::FeatureNames()[i];
      }
    }
  }
}

TEST(FilledSlots, AreThoseOfTheTrainingGraph) {
  const GraphData data = RandomMultigraph({.links = 60}, 8);
  const auto graph = BuildSnapshotOrDie(data);
  GraphStatistics statistics;
  FilledSlots::Build(*graph).AddTo(statistics);
  const size_t slot_count = 2 * graph->relation_count();
  const auto filled = FilledSlots::FromStatistics(statistics, slot_count);
  ASSERT_TRUE(filled.ok() && filled->has_value());
  const auto expected = SlotsOfNodes(data);
  for (NodeId node = 0; node < expected.size(); ++node) {
    for (uint32_t slot = 0; slot < slot_count; ++slot) {
      EXPECT_EQ((*filled)->Contains(node, slot), expected[node].contains(slot));
    }
  }
  const auto later = static_cast<NodeId>(expected.size());
  EXPECT_FALSE((*filled)->Contains(later, 0));
  EXPECT_FALSE(FilledSlots::FromStatistics({}, slot_count)->has_value());
}

TEST(FilledSlots, RefusesArraysThatDoNotSuitEachOther) {
  const std::vector<float> good_counts = {1, 2}, good_slots = {3, 0, 1};
  const auto code = [](std::vector<float> counts, std::vector<float> slots) {
    GraphStatistics statistics;
    statistics.Set("filled_slots.counts", {{2}, std::move(counts)});
    statistics.Set("filled_slots.slots",
                   {{static_cast<int64_t>(slots.size())}, std::move(slots)});
    return FilledSlots::FromStatistics(statistics, 4).status().code();
  };
  EXPECT_EQ(code(good_counts, good_slots), absl::StatusCode::kOk);
  EXPECT_EQ(code({2, 2}, good_slots), absl::StatusCode::kDataLoss);
  EXPECT_EQ(code({-1, 4}, good_slots), absl::StatusCode::kDataLoss);
  EXPECT_EQ(code({NAN, 2}, good_slots), absl::StatusCode::kDataLoss);
  EXPECT_EQ(code(good_counts, {4, 0, 1}), absl::StatusCode::kDataLoss);
  EXPECT_EQ(code(good_counts, {NAN, 0, 1}), absl::StatusCode::kDataLoss);
}

TEST(SlotCompatibility, SurvivesABundle) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({}, 7));
  const auto table = SlotCompatibility::Build(*graph);
  GraphStatistics statistics;
  table->AddTo(statistics);
  const size_t slots = 2 * graph->relation_count();
  const auto restored = SlotCompatibility::FromStatistics(statistics, slots);
  ASSERT_TRUE(restored.ok() && restored->has_value());
  std::vector<SlotCount> visible;
  CollectSlots(GraphView(*graph), 3, visible);
  std::array<float, SlotCompatibility::kFeatures> a, b;
  table->Compute(*graph, 3, 0, visible, a);
  (*restored)->Compute(*graph, 3, 0, visible, b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(
      SlotCompatibility::FromStatistics(statistics, slots + 2).status().code(),
      absl::StatusCode::kDataLoss);
  EXPECT_FALSE(SlotCompatibility::FromStatistics({}, slots)->has_value());
}

TEST(SlotProfile, ProjectsTheLogarithmsOfCounts) {
  std::vector<float> basis(4 * kProfileDim, 0.0f);
  basis[0 * kProfileDim + 0] = 2;
  basis[3 * kProfileDim + 0] = -1;
  basis[3 * kProfileDim + 5] = 0.5f;
  const SlotProfile profile(basis, 4);
  const std::vector<SlotCount> slots = {{0, 1}, {3, 7}};
  std::array<float, kProfileDim> values;
  profile.Compute(slots, values);
  EXPECT_NEAR(values[0], 2 * std::log1p(1.0f) - std::log1p(7.0f), 1e-6);
  EXPECT_NEAR(values[5], 0.5f * std::log1p(7.0f), 1e-6);
  EXPECT_EQ(values[1], 0);
  GraphStatistics statistics;
  profile.AddTo(statistics);
  EXPECT_TRUE(SlotProfile::FromStatistics(statistics, 4)->has_value());
  EXPECT_EQ(SlotProfile::FromStatistics(statistics, 6).status().code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace slice
