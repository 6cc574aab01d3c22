#include "server/graph/live_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "tests/server/stalled_disk.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void FillLink(const std::string& source, const std::string& relation,
              const std::string& target, v1::LinkChange* link) {
  link->mutable_source()->set_key(source);
  link->set_relation(relation);
  link->mutable_target()->set_key(target);
}

NamedChanges AddLink(const std::string& source, const std::string& relation,
                     const std::string& target) {
  NamedChanges changes;
  FillLink(source, relation, target, changes.Add()->mutable_add_link());
  return changes;
}

NamedChanges RemoveLink(const std::string& source, const std::string& relation,
                        const std::string& target) {
  NamedChanges changes;
  FillLink(source, relation, target, changes.Add()->mutable_remove_link());
  return changes;
}

class LiveGraphTest : public ::testing::Test {
 protected:
  explicit LiveGraphTest(const GraphData& data = ToyGraph()) { Open(data); }

  void Open(const GraphData& data) {
    store_ = *RocksDbGraphStore::Open({.directory = directory_ / "graph"});
    if (!store_->Metadata().ok()) EXPECT_TRUE(store_->BulkLoad(data, "").ok());
    auto live = LiveGraph::Open(store_.get(), *store_->BuildSnapshot());
    ASSERT_TRUE(live.ok()) << live.status();
    live_ = *std::move(live);
  }
  void Restart() {
    live_.reset();
    store_.reset();
    Open({});
  }

  // Waits for the outcome.
  absl::StatusOr<UpdateOutcome> Apply(NamedChanges changes,
                                      const std::string& writer = "",
                                      uint64_t sequence = 0) {
    std::promise<absl::StatusOr<UpdateOutcome>> outcome;
    const absl::Status submitted =
        live_->Submit({.changes = std::move(changes),
                       .writer = writer,
                       .sequence = sequence,
                       .done = [&](const absl::StatusOr<UpdateOutcome>& done) {
                         outcome.set_value(done);
                       }});
    if (!submitted.ok()) return submitted;
    return outcome.get_future().get();
  }

  absl::Status Await(uint64_t version, absl::Time deadline,
                     AwaitedVersions::Ready ready) {
    return live_->WhenVisible({.version = version,
                               .deadline = deadline,
                               .cancelled = [] { return false; },
                               .ready = std::move(ready)});
  }

  static bool Has(const GraphSnapshot& graph, const std::string& source,
                  const std::string& relation, const std::string& target) {
    return graph.HasLink(ToyLink(graph, source, relation, target));
  }

  const TempDirectory directory_;
  std::unique_ptr<RocksDbGraphStore> store_;
  std::unique_ptr<LiveGraph> live_;
};

TEST_F(LiveGraphTest, AnAcknowledgedChangeIsVisibleAndStays) {
  const auto before = live_->Current();
  const auto outcome = Apply(AddLink("curl", "suggests", "firefox"));
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->graph_version, 1);
  EXPECT_TRUE(Has(*live_->Current(), "curl", "suggests", "firefox"));
  EXPECT_FALSE(Has(*before, "curl", "suggests", "firefox"));
  const LiveGraphState state = live_->state();
  Restart();
  EXPECT_TRUE(Has(*live_->Current(), "curl", "suggests", "firefox"));
  EXPECT_EQ(live_->Current()->graph_version(), 1);
  EXPECT_EQ(live_->state().state_digest, state.state_digest);
  EXPECT_EQ(live_->state().base_version, 0);
}

TEST_F(LiveGraphTest, ARefusedUpdateChangesNothing) {
  NamedChanges changes = AddLink("curl", "suggests", "firefox");
  changes.MergeFrom(AddLink("curl", "suggests", "nobody"));
  const auto refused = Apply(changes);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("changes[1].add_link.target"));
  EXPECT_EQ(live_->Current()->graph_version(), 0);
  EXPECT_EQ(live_->state().refused_updates, 1);
  // The next one is not affected.
  EXPECT_TRUE(Apply(AddLink("curl", "suggests", "firefox")).ok());
}

TEST_F(LiveGraphTest, ASequenceIsAppliedOnce) {
  const NamedChanges add = AddLink("curl", "suggests", "firefox");
  const NamedChanges remove = RemoveLink("curl", "suggests", "firefox");
  ASSERT_TRUE(Apply(add, "w", 1).ok());
  ASSERT_TRUE(Apply(remove, "w", 2).ok());
  for (int restart = 0; restart < 2; ++restart) {
    const auto again = Apply(add, "w", 1);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(again->repeated);
    EXPECT_EQ(again->graph_version, 1);
    EXPECT_EQ(live_->Current()->graph_version(), 2);
    EXPECT_FALSE(Has(*live_->Current(), "curl", "suggests", "firefox"));
    EXPECT_EQ(live_->LastSequence("w"), 2);
    Restart();
  }
}

TEST_F(LiveGraphTest, ASequenceWithAGapOrOtherChangesIsRefused) {
  const auto refused = [&](const NamedChanges& changes, uint64_t sequence,
                           const std::string& message) {
    const absl::Status status = Apply(changes, "w", sequence).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  };
  const NamedChanges add = AddLink("curl", "suggests", "firefox");
  // A stream that lost its beginning.
  refused(add, 5, "5 of the writer 'w' does not follow 0");
  ASSERT_TRUE(Apply(add, "w", 1).ok());
  refused(add, 3, "does not follow 1, its last one; send 2 first");
  refused(RemoveLink("curl", "suggests", "firefox"), 1,
          "was used for other changes, version 1");
  EXPECT_EQ(live_->Current()->graph_version(), 1);
  // A refused update uses up no number.
  EXPECT_FALSE(Apply(AddLink("x", "suggests", "y"), "w", 2).ok());
  EXPECT_TRUE(Apply(RemoveLink("curl", "suggests", "firefox"), "w", 2).ok());
  // Another writer counts for itself.
  EXPECT_TRUE(Apply(add, "v", 1).ok());
}

// Questions about writers are answered by a thread that others need as well.
TEST_F(LiveGraphTest, ALastSequenceIsKnownWhileTheDiskStalls) {
  ASSERT_TRUE(Apply(AddLink("curl", "suggests", "firefox"), "w", 1).ok());
  StalledDisk disk;
  std::future<bool> applied = std::async(std::launch::async, [&] {
    return Apply(RemoveLink("curl", "suggests", "firefox"), "w", 2).ok();
  });
  disk.AwaitWriter();
  auto last =
      std::async(std::launch::async, [&] { return live_->LastSequence("w"); });
  const auto answered = last.wait_for(std::chrono::seconds(5));
  EXPECT_EQ(live_->state().graph_version, 1);
  disk.End();
  EXPECT_EQ(answered, std::future_status::ready);
  EXPECT_EQ(last.get(), 1);
  EXPECT_TRUE(applied.get());
  EXPECT_EQ(live_->LastSequence("w"), 2);
}

TEST_F(LiveGraphTest, UpdatesThatWaitShareACommit) {
  std::promise<void> go;
  std::shared_future<void> gate = go.get_future().share();
  std::atomic<int> done{0};
  // The first update holds the thread; the others gather meanwhile.
  ASSERT_TRUE(live_
                  ->Submit({.changes = AddLink("curl", "suggests", "firefox"),
                            .done = [gate](const auto&) { gate.wait(); }})
                  .ok());
  for (int i = 0; i < 50; ++i) {
    NamedChanges changes;
    changes.Add()->mutable_upsert_node()->set_key(absl::StrCat("new-", i));
    ASSERT_TRUE(live_
                    ->Submit({.changes = changes,
                              .writer = "w",
                              .sequence = static_cast<uint64_t>(i + 1),
                              .done =
                                  [&done](const auto& outcome) {
                                    EXPECT_TRUE(outcome.ok());
                                    ++done;
                                  }})
                    .ok());
  }
  go.set_value();
  while (done < 50) std::this_thread::yield();
  EXPECT_EQ(live_->Current()->graph_version(), 51);
  EXPECT_LE(live_->state().commits, 3);
  EXPECT_EQ(live_->state().applied_updates, 51);
}

TEST_F(LiveGraphTest, AFloodOfChangesIsRefusedBeyondItsShare) {
  std::promise<void> go;
  std::shared_future<void> gate = go.get_future().share();
  ASSERT_TRUE(live_
                  ->Submit({.changes = AddLink("curl", "suggests", "firefox"),
                            .host = 1,
                            .done = [gate](const auto&) { gate.wait(); }})
                  .ok());
  NamedChanges many;
  for (int i = 0; i < 10'000; ++i) {
    many.Add()->mutable_upsert_node()->set_key(absl::StrCat("new-", i));
  }
  size_t taken = 0;
  absl::Status status;
  for (; status.ok() && taken < 100; ++taken) {
    status = live_->Submit({.changes = many, .host = 1});
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_LE(10'000 * taken, WaitingChanges::kMost);
  // Another host still has room.
  EXPECT_TRUE(live_->Submit({.changes = many, .host = 2}).ok());
  go.set_value();
}

TEST_F(LiveGraphTest, TellsWhenAVersionIsVisible) {
  std::promise<uint64_t> at_once, later;
  ASSERT_TRUE(Await(0, absl::InfiniteFuture(), [&](const absl::Status& status) {
                EXPECT_TRUE(status.ok());
                at_once.set_value(0);
              }).ok());
  at_once.get_future().get();
  ASSERT_TRUE(Await(2, absl::InfiniteFuture(), [&](const absl::Status& status) {
                EXPECT_TRUE(status.ok());
                later.set_value(live_->Current()->graph_version());
              }).ok());
  auto seen = later.get_future();
  ASSERT_TRUE(Apply(AddLink("curl", "suggests", "firefox")).ok());
  EXPECT_EQ(seen.wait_for(std::chrono::seconds(0)),
            std::future_status::timeout);
  ASSERT_TRUE(Apply(RemoveLink("curl", "suggests", "firefox")).ok());
  EXPECT_EQ(seen.get(), 2);
}

TEST_F(LiveGraphTest, AVersionIsNotAwaitedForLongerThanTheDeadline) {
  std::promise<absl::Status> ended;
  ASSERT_TRUE(
      Await(7, absl::Now() + absl::Milliseconds(20),
            [&](const absl::Status& status) { ended.set_value(status); })
          .ok());
  const absl::Status status = ended.get_future().get();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("did not reach version 7"));
}

TEST_F(LiveGraphTest, ThoseWhoWaitAreTurnedAwayWhenItCloses) {
  std::promise<absl::Status> ended;
  ASSERT_TRUE(Await(7, absl::InfiniteFuture(), [&](const absl::Status& status) {
                ended.set_value(status);
              }).ok());
  live_.reset();
  EXPECT_EQ(ended.get_future().get().code(), absl::StatusCode::kUnavailable);
}

TEST_F(LiveGraphTest, OfAReadOnlyStoreIsServedAndTakesNoChanges) {
  ASSERT_TRUE(Apply(AddLink("curl", "suggests", "firefox")).ok());
  live_.reset();
  store_.reset();
  RocksDbGraphStoreOptions options;
  options.directory = directory_ / "graph";
  options.read_only = true;
  store_ = *RocksDbGraphStore::Open(options);
  live_ = *LiveGraph::Open(store_.get(), *store_->BuildSnapshot());
  EXPECT_TRUE(Has(*live_->Current(), "curl", "suggests", "firefox"));
  const auto refused = Apply(RemoveLink("curl", "suggests", "firefox"));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("read-only"));
  EXPECT_FALSE(live_->state().writable.ok());
  EXPECT_TRUE(Has(*live_->Current(), "curl", "suggests", "firefox"));
}

TEST_F(LiveGraphTest, AReaderSeesOneVersion) {
  // A link and its reverse are added and removed together.
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) {
      const auto graph = live_->Current();
      EXPECT_EQ(Has(*graph, "curl", "suggests", "firefox"),
                Has(*graph, "firefox", "suggests", "curl"));
    }
  });
  for (int i = 0; i < 100; ++i) {
    NamedChanges changes = AddLink("curl", "suggests", "firefox");
    changes.MergeFrom(AddLink("firefox", "suggests", "curl"));
    ASSERT_TRUE(Apply(changes).ok());
    changes = RemoveLink("curl", "suggests", "firefox");
    changes.MergeFrom(RemoveLink("firefox", "suggests", "curl"));
    ASSERT_TRUE(Apply(changes).ok());
  }
  stop = true;
  reader.join();
}

// Random updates, and a plain record of what the graph must hold.
TEST_F(LiveGraphTest, AgreesWithAModelThroughRestarts) {
  Random random(11);
  std::set<std::string> nodes;
  for (const NodeRecord& node : ToyGraph().catalogue.nodes)
    nodes.insert(node.key);
  std::set<std::array<std::string, 3>> links;
  const GraphData toy = ToyGraph();
  for (const Link& link : toy.links) {
    links.insert({toy.catalogue.nodes[link.source].key,
                  toy.catalogue.relations[link.relation],
                  toy.catalogue.nodes[link.target].key});
  }
  const auto any = [&] {
    auto at = nodes.begin();
    std::advance(at, random.Below(static_cast<uint32_t>(nodes.size())));
    return *at;
  };
  for (int step = 0; step < 400; ++step) {
    NamedChanges changes;
    const uint32_t kind = random.Below(10);
    const std::string relation = toy.catalogue.relations[random.Below(
        static_cast<uint32_t>(toy.catalogue.relations.size()))];
    const std::string a = any(), b = any();
    if (kind < 5) {
      changes = AddLink(a, relation, b);
      links.insert({a, relation, b});
    } else if (kind < 7) {
      changes = RemoveLink(a, relation, b);
      links.erase({a, relation, b});
    } else if (kind < 9) {
      const std::string key = absl::StrCat("node-", random.Below(20));
      changes.Add()->mutable_upsert_node()->set_key(key);
      nodes.insert(key);
    } else if (nodes.size() > 5) {
      changes.Add()->mutable_remove_node()->set_key(a);
      nodes.erase(a);
      std::erase_if(links, [&](const auto& link) {
        return link[0] == a || link[2] == a;
      });
    } else {
      continue;
    }
    const auto outcome = Apply(changes);
    ASSERT_TRUE(outcome.ok()) << outcome.status();
    if (step % 100 == 99) Restart();
    if (step % 20 != 19) continue;
    const auto graph = live_->Current();
    ASSERT_EQ(graph->link_count(), links.size());
    for (const auto& [source, name, target] : links)
      ASSERT_TRUE(Has(*graph, source, name, target));
    for (int i = 0; i < 20; ++i) {
      const std::string key = absl::StrCat("node-", i);
      ASSERT_EQ(graph->names().FindKey(key).has_value(), nodes.contains(key));
    }
  }
}

}  // namespace
}  // namespace slice
