#include "server/graph/graph_compactor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "graphstore/rocksdb_graph_store.h"
#include "tests/server/recommend_model.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

// A served graph in a folder of its own.
class Served {
 public:
  explicit Served(const std::filesystem::path& directory)
      : directory_(directory) {
    Open();
  }
  void Restart() {
    compactor.reset();
    live.reset();
    store_.reset();
    Open();
  }

  // Waits for the version.
  absl::StatusOr<uint64_t> Apply(const NamedChanges& changes,
                                 uint64_t sequence) {
    std::promise<absl::StatusOr<uint64_t>> made;
    const absl::Status submitted = live->Submit(
        {.changes = changes,
         .writer = "writer",
         .sequence = sequence,
         .done = [&](const absl::StatusOr<UpdateOutcome>& outcome) {
           if (outcome.ok()) {
             made.set_value(outcome->graph_version);
           } else {
             made.set_value(outcome.status());
           }
         }});
    if (!submitted.ok()) return submitted;
    return made.get_future().get();
  }

  std::string Digest() const { return GraphDigest(live->Current()->Data()); }
  bool Verifies() const { return store_->Verify()->ok(); }

  std::unique_ptr<LiveGraph> live;
  std::unique_ptr<GraphCompactor> compactor;

 private:
  void Open() {
    store_ = *RocksDbGraphStore::Open({.directory = directory_});
    if (!store_->Metadata().ok()) {
      EXPECT_TRUE(store_->BulkLoad(LargerToyGraph(40), "").ok());
    }
    auto opened = LiveGraph::Open(store_.get(), *store_->BuildSnapshot());
    ASSERT_TRUE(opened.ok()) << opened.status();
    live = *std::move(opened);
    compactor = std::make_unique<GraphCompactor>(
        live.get(), [this] { return store_->BuildSnapshot(); }, /*share=*/0);
  }

  const std::filesystem::path directory_;
  std::unique_ptr<RocksDbGraphStore> store_;
};

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
  Served compacted(directory_ / "a"), plain(directory_ / "b");
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
  Served served(directory / "a");
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

}  // namespace
}  // namespace slice
