// A replica of a feed with the toy graph, and changes for it.
#ifndef SLICE_TESTS_SERVER_FEED_TEST_REPLICA_H_
#define SLICE_TESTS_SERVER_FEED_TEST_REPLICA_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "graphstore/name_resolver.h"
#include "server/feed/graph_replica.h"
#include "server/graph/graph_compactor.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_graph.h"

namespace slice {

inline NamedChanges AddNode(const std::string& key) {
  NamedChanges changes;
  changes.Add()->mutable_upsert_node()->set_key(key);
  return changes;
}

inline NamedChanges AddLink(const std::string& source,
                            const std::string& relation,
                            const std::string& target) {
  NamedChanges changes;
  v1::LinkChange* const link = changes.Add()->mutable_add_link();
  link->mutable_source()->set_key(source);
  link->set_relation(relation);
  link->mutable_target()->set_key(target);
  return changes;
}

// A server's graph and its replica, in a directory that outlives them.
class Replica {
 public:
  using Outcome = absl::StatusOr<UpdateOutcome>;

  explicit Replica(ChangeFeed* feed, const Clock* clock = Clock::Real())
      : feed_(feed), clock_(clock) {}

  absl::Status Open() {
    Close();
    store_ = *RocksDbGraphStore::Open({.directory = directory_ / "graph"});
    if (!store_->Metadata().ok()) {
      EXPECT_TRUE(store_->BulkLoad(ToyGraph(), "").ok());
    }
    live_ = *LiveGraph::Open(store_.get(), *store_->BuildSnapshot());
    auto replica = GraphReplica::Open(
        {.follower = {.feed = feed_,
                      .live = live_.get(),
                      .base_digest = store_->Metadata()->graph_digest,
                      .clock = clock_,
                      .problem_patience = absl::ZeroDuration()},
         .patience = absl::Milliseconds(300)});
    if (!replica.ok()) return replica.status();
    replica_ = *std::move(replica);
    return absl::OkStatus();
  }
  void Close() {
    replica_.reset();
    live_.reset();
    store_.reset();
  }

  std::future<Outcome> Send(NamedChanges changes,
                            const std::string& writer = "",
                            uint64_t sequence = 0) {
    auto outcome = std::make_shared<std::promise<Outcome>>();
    const absl::Status submitted = replica_->Submit(
        {.changes = std::move(changes),
         .writer = writer,
         .sequence = sequence,
         .done = [outcome](const Outcome& done) { outcome->set_value(done); }});
    if (!submitted.ok()) outcome->set_value(submitted);
    return outcome->get_future();
  }
  Outcome Apply(NamedChanges changes, const std::string& writer = "",
                uint64_t sequence = 0) {
    return Send(std::move(changes), writer, sequence).get();
  }

  void WaitFor(uint64_t version) {
    std::promise<void> visible;
    EXPECT_TRUE(
        live_
            ->WhenVisible(
                {.version = version,
                 .deadline = absl::InfiniteFuture(),
                 .cancelled = [] { return false; },
                 .ready = [&](const absl::Status&) { visible.set_value(); }})
            .ok());
    visible.get_future().wait();
  }
  template <typename Condition>
  void WaitUntil(const Condition& condition) {
    while (!condition(replica_->state())) std::this_thread::yield();
  }
  bool HasNode(const std::string& key) {
    return ResolveKey(*live_->Current(), key).ok();
  }

  // Compacts the graph and its log.
  absl::StatusOr<uint64_t> Compact() {
    GraphCompactor compactor(
        live_.get(), [this] { return store_->BuildSnapshot(); }, /*share=*/0);
    return compactor.Compact();
  }

  LiveGraph& live() { return *live_; }
  GraphReplica& replica() { return *replica_; }

 private:
  ChangeFeed* const feed_;
  const Clock* const clock_;
  const TempDirectory directory_;
  std::unique_ptr<RocksDbGraphStore> store_;
  std::unique_ptr<LiveGraph> live_;
  std::unique_ptr<GraphReplica> replica_;
};

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_FEED_TEST_REPLICA_H_
