#include "server/graph/graph_compactor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "tests/server/recommend_model.h"
#include "tests/server/stored_live_graph.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

// Links and nodes come and go; some changes have no effect.
NamedChanges RandomChanges(const GraphSnapshot& graph, Random& random) {
  NamedChanges changes;
  const auto key = [&] {
    NodeId node = 0;
    do {
      node = random.Below(static_cast<uint32_t>(graph.node_count()));
    } while (graph.IsRemoved(node));
    return graph.Key(node);
  };
  for (int i = 0; i < 3; ++i) {
    v1::GraphChange* change = changes.Add();
    v1::LinkChange* link = random.Below(2) == 0 ? change->mutable_add_link()
                                                : change->mutable_remove_link();
    link->mutable_source()->set_key(key());
    link->mutable_target()->set_key(key());
    link->set_relation("suggests");
  }
  if (random.Below(3) == 0) {
    changes.Add()->mutable_upsert_node()->set_key(
        absl::StrCat("new-", random.Below(30)));
  }
  if (random.Below(8) == 0) {
    NamedChanges removal;
    removal.Add()->mutable_remove_node()->set_key(key());
    return removal;
  }
  return changes;
}

class GraphCompactorTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  const TempDirectory directory_;
};

// One graph is compacted all the time while it changes, the other one never.
TEST_P(GraphCompactorTest, ChangesNothingThatAnybodySees) {
  StoredLiveGraph compacted(directory_ / "a", LargerToyGraph(40)),
      plain(directory_ / "b", LargerToyGraph(40));
  Random random(GetParam());
  uint64_t sequence = 0;
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> stop{false};
    std::thread compacting([&] {
      while (!stop) EXPECT_TRUE(compacted.compactor->Compact().ok());
    });
    for (int i = 0; i < 150; ++i) {
      const NamedChanges changes =
          RandomChanges(*plain.live->Current(), random);
      const auto expected = plain.Apply(changes, sequence + 1);
      const auto made = compacted.Apply(changes, sequence + 1);
      ASSERT_EQ(made.status(), expected.status());
      if (!made.ok()) continue;  // it contradicts itself
      ++sequence;
      EXPECT_EQ(*made, *expected);
      // What was sent before is known, with its version.
      EXPECT_EQ(*compacted.Apply(changes, sequence), *made);
    }
    stop = true;
    compacting.join();
    EXPECT_EQ(compacted.live->state().state_digest,
              plain.live->state().state_digest);
    EXPECT_EQ(compacted.Digest(), plain.Digest());
    EXPECT_GT(compacted.live->state().first_version, 0u);
    compacted.Restart();
    EXPECT_EQ(compacted.live->state().state_digest,
              plain.live->state().state_digest);
    EXPECT_EQ(compacted.live->state().graph_version,
              plain.live->state().graph_version);
    EXPECT_EQ(compacted.Digest(), plain.Digest());
    EXPECT_TRUE(compacted.Verifies());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GraphCompactorTest,
                         ::testing::Range<uint64_t>(0, 4));

TEST(GraphCompactorErrorTest, LeavesTheGraphWhenTheBaseCannotBeRead) {
  const TempDirectory directory;
  StoredLiveGraph served(directory / "a", LargerToyGraph(40));
  Random random(1);
  ASSERT_TRUE(
      served.Apply(RandomChanges(*served.live->Current(), random), 1).ok());
  const auto before = served.live->Current();
  GraphCompactor compactor(
      served.live.get(), [] { return absl::DataLossError("the disk is gone"); },
      0);
  EXPECT_EQ(compactor.Compact().status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(served.live->Current(), before);
  EXPECT_EQ(served.live->state().compactions, 0u);
  EXPECT_TRUE(served.compactor->Compact().ok());
}

// A compaction stays due after a failure and after a restart.
TEST(GraphCompactorTest, ChangesAreCountedUntilTheyAreCompacted) {
  const TempDirectory directory;
  StoredLiveGraph served(directory / "a", LargerToyGraph(40));
  NamedChanges changes;
  for (const char* key : {"one", "two", "three"})
    changes.Add()->mutable_upsert_node()->set_key(key);
  ASSERT_TRUE(served.Apply(changes, 1).ok());
  const auto pending = [&] {
    return served.live->state().changes_since_compaction;
  };
  EXPECT_EQ(pending(), 3u);
  GraphCompactor broken(
      served.live.get(), [] { return absl::DataLossError("the disk is gone"); },
      0);
  EXPECT_FALSE(broken.Compact().ok());
  EXPECT_EQ(pending(), 3u);
  served.Restart();
  EXPECT_EQ(pending(), 3u);
  EXPECT_TRUE(served.compactor->Compact().ok());
  EXPECT_EQ(pending(), 0u);
  served.Restart();
  EXPECT_EQ(pending(), 0u);
}

}  // namespace
}  // namespace slice
