// Replicas of one feed in memory: what they make of its entries, and what they
// do when it goes away or loses some.
#include "server/feed/graph_replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/feed/max_lag.h"
#include "slice/v1/change_feed.pb.h"
#include "tests/server/feed/test_replica.h"
#include "tests/testing/fake_clock.h"
#include "tests/testing/in_memory_feed.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

constexpr char kRetryInfo[] = "type.googleapis.com/google.rpc.RetryInfo";

using Outcome = Replica::Outcome;

class GraphReplicaTest : public ::testing::Test {
 protected:
  GraphReplicaTest() {
    EXPECT_TRUE(a_.Open().ok());
    EXPECT_TRUE(b_.Open().ok());
  }
  // Both have this version and one digest.
  void ExpectEqual(uint64_t version) {
    for (Replica* replica : {&a_, &b_}) {
      replica->WaitFor(version);
      EXPECT_EQ(replica->live().state().graph_version, version);
      EXPECT_EQ(replica->live().Current()->graph_version(), version);
    }
    EXPECT_EQ(a_.live().state().state_digest, b_.live().state().state_digest);
  }

  InMemoryFeed feed_;
  Replica a_{&feed_}, b_{&feed_};
};

TEST_F(GraphReplicaTest, AnyReplicaTakesChangesForAll) {
  const Outcome first = a_.Apply(AddNode("new"));
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->graph_version, 1);
  EXPECT_TRUE(a_.HasNode("new"));
  b_.WaitFor(1);
  const Outcome second = b_.Apply(AddLink("new", "depends", "libssl3"));
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->graph_version, 2);
  ExpectEqual(2);
}

TEST_F(GraphReplicaTest, ManyUpdatesAtOnceMakeTheSameVersionsEverywhere) {
  std::vector<std::future<Outcome>> sent;
  for (int i = 0; i < 200; ++i) {
    Replica& to = i % 2 == 0 ? a_ : b_;
    // Every third names a node that is never there.
    sent.push_back(to.Send(i % 3 == 0 ? AddLink("nobody", "depends", "curl")
                                      : AddNode(absl::StrCat("node-", i))));
  }
  for (int i = 0; i < 200; ++i) EXPECT_EQ(sent[i].get().ok(), i % 3 != 0) << i;
  ExpectEqual(200);
}

TEST_F(GraphReplicaTest, ARefusedEntryIsAVersionWithoutChanges) {
  const Outcome refused = a_.Apply(AddLink("nobody", "depends", "curl"));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(refused.status().message()),
              HasSubstr("changes[0].add_link.source"));
  ExpectEqual(1);
  a_.WaitUntil([](const ReplicaState& state) {
    return state.follower.refused_entries == 1;
  });
  const LiveGraphState before = a_.live().state();
  ASSERT_TRUE(a_.Open().ok());
  EXPECT_EQ(a_.live().state().state_digest, before.state_digest);
  ASSERT_TRUE(a_.Apply(AddNode("new")).ok());
  ExpectEqual(2);
}

TEST_F(GraphReplicaTest, ARepeatedUpdateIsAppliedOnce) {
  ASSERT_TRUE(a_.Apply(AddNode("new"), "w", 1).ok());
  const Outcome again = a_.Apply(AddNode("new"), "w", 1);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->graph_version, 1);
  ExpectEqual(1);
  // A feed that does not know the id any more takes it as another entry.
  feed_.SetKnowsIds(false);
  b_.WaitFor(1);
  const Outcome elsewhere = b_.Apply(AddNode("new"), "w", 1);
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.status();
  EXPECT_TRUE(elsewhere->repeated);
  EXPECT_EQ(elsewhere->graph_version, 1);
  ExpectEqual(2);
  EXPECT_EQ(a_.Apply(AddNode("other"), "w", 1).status().code(),
            absl::StatusCode::kFailedPrecondition);
  ExpectEqual(3);
  ASSERT_TRUE(a_.Apply(AddNode("other"), "w", 2).ok());
  ExpectEqual(4);
}

TEST_F(GraphReplicaTest, AReplicaThatIsCompactedStaysEqual) {
  for (uint64_t i = 1; i <= 5; ++i) {
    ASSERT_TRUE(a_.Apply(AddNode(absl::StrCat("node-", i)), "w", i).ok());
  }
  ASSERT_EQ(*a_.Compact(), 5);
  ExpectEqual(5);
  feed_.SetKnowsIds(false);
  // B still knows what became of it, A does not. Neither applies it again.
  EXPECT_TRUE(b_.Apply(AddNode("node-2"), "w", 2)->repeated);
  EXPECT_FALSE(a_.Apply(AddNode("node-2"), "w", 2).ok());
  ASSERT_TRUE(b_.Apply(AddLink("node-1", "depends", "curl"), "w", 6).ok());
  ExpectEqual(8);
  ASSERT_TRUE(a_.Open().ok());
  ExpectEqual(8);
}

TEST_F(GraphReplicaTest, ARefusedUpdateMaySucceedWhenItIsSentAgain) {
  const NamedChanges link = AddLink("new", "depends", "curl");
  EXPECT_EQ(a_.Apply(link, "w", 1).status().code(),
            absl::StatusCode::kNotFound);
  ASSERT_TRUE(b_.Apply(AddNode("new")).ok());
  const Outcome again = a_.Apply(link, "w", 1);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->repeated);
  EXPECT_EQ(again->graph_version, 3);
  ExpectEqual(3);
}

TEST_F(GraphReplicaTest, EntriesOfOtherProgramsCount) {
  v1::FeedEntry entry;
  *entry.mutable_changes() = AddNode("from outside");
  v1::FeedEntry invalid;
  invalid.add_changes();
  for (const std::string& bytes :
       {entry.SerializeAsString(), invalid.SerializeAsString(),
        std::string("not an entry at all"), std::string()}) {
    ASSERT_TRUE(feed_.Publish(bytes, bytes).ok());
  }
  ExpectEqual(4);
  EXPECT_TRUE(a_.HasNode("from outside"));
  a_.WaitUntil([](const ReplicaState& state) {
    return state.follower.refused_entries == 3;
  });
}

TEST_F(GraphReplicaTest, WithoutTheFeedChangesAreRefusedUntilItIsBack) {
  feed_.SetConnected(false);
  const Outcome refused = a_.Apply(AddNode("new"), "w", 1);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(refused.status().GetPayload(kRetryInfo).has_value());
  EXPECT_EQ(a_.replica().state().publish_failures, 1);
  a_.WaitUntil([](const ReplicaState& s) { return !s.follower.connected; });
  feed_.SetConnected(true);
  ASSERT_TRUE(a_.Apply(AddNode("new"), "w", 1).ok());
  ExpectEqual(1);
}

TEST_F(GraphReplicaTest, AReplicaThatWasAwayCatchesUp) {
  ASSERT_TRUE(a_.Apply(AddNode("first")).ok());
  b_.WaitFor(1);
  b_.Close();
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(a_.Apply(AddNode(absl::StrCat("node-", i))).ok());
  ASSERT_TRUE(b_.Open().ok());
  // Open returns when the replica is in step.
  EXPECT_EQ(b_.live().state().graph_version, 21);
  ExpectEqual(21);
}

TEST_F(GraphReplicaTest, StartsWithoutTheFeed) {
  ASSERT_TRUE(a_.Apply(AddNode("first")).ok());
  feed_.SetConnected(false);
  ASSERT_TRUE(a_.Open().ok());
  EXPECT_TRUE(a_.HasNode("first"));
  feed_.SetConnected(true);
  ASSERT_TRUE(a_.Apply(AddNode("second")).ok());
  ExpectEqual(2);
}

TEST_F(GraphReplicaTest, TellsHowFarItIsBehind) {
  feed_.HoldBackAfter(0);
  std::future<Outcome> first = a_.Send(AddNode("first"));
  std::future<Outcome> second = a_.Send(AddNode("second"));
  a_.WaitUntil([](const ReplicaState& state) {
    return state.follower.entries_behind() == 2;
  });
  EXPECT_EQ(a_.replica().state().awaited_changes, 2);
  EXPECT_FALSE(ParseMaxLag("1")->Allows(a_.replica().state().follower));
  EXPECT_GT(a_.replica().state().follower.since_in_step, absl::ZeroDuration());
  feed_.HoldBackAfter(UINT64_MAX);
  EXPECT_TRUE(first.get().ok());
  EXPECT_TRUE(second.get().ok());
  a_.WaitUntil([](const ReplicaState& state) {
    return state.follower.connected && state.follower.entries_behind() == 0;
  });
  EXPECT_EQ(a_.replica().state().follower.since_in_step, absl::ZeroDuration());
  a_.WaitUntil([](const ReplicaState& state) {
    return state.follower.consumed_entries == 2;
  });
}

TEST_F(GraphReplicaTest, NoticesThatAnotherReplicaDiffers) {
  ASSERT_TRUE(a_.Apply(AddNode("first")).ok());
  ASSERT_TRUE(b_.Apply(AddNode("second")).ok());
  ExpectEqual(2);
  EXPECT_EQ(a_.replica().state().follower.digest_differences, 0);
  v1::FeedEntry entry;
  *entry.mutable_changes() = AddNode("third");
  entry.mutable_publisher_state()->set_base_digest(*a_.live().DigestAt(0));
  entry.mutable_publisher_state()->set_graph_version(1);
  entry.mutable_publisher_state()->set_state_digest("another");
  ASSERT_TRUE(feed_.Publish(entry.SerializeAsString(), "id").ok());
  a_.WaitUntil([](const ReplicaState& state) {
    return state.follower.digest_differences == 1;
  });
}

TEST_F(GraphReplicaTest, AFeedThatDroppedWhatAReplicaNeedsIsRefused) {
  ASSERT_TRUE(a_.Apply(AddNode("first")).ok());
  b_.WaitFor(1);
  b_.Close();
  for (const char* key : {"second", "third", "fourth"})
    ASSERT_TRUE(a_.Apply(AddNode(key)).ok());
  feed_.DropBefore(2);
  ASSERT_TRUE(b_.Open().ok());  // needs 2
  ExpectEqual(4);
  ASSERT_TRUE(a_.Apply(AddNode("fifth")).ok());
  b_.WaitFor(5);
  b_.Close();
  for (const char* key : {"sixth", "seventh"})
    ASSERT_TRUE(a_.Apply(AddNode(key)).ok());
  feed_.DropBefore(7);
  const absl::Status refused = b_.Open();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("begins with version 7, and the graph here has version "
                        "5 and needs 6: start from a newer checkpoint"));
}

TEST_F(GraphReplicaTest, AFeedThatLostItsEndIsRefused) {
  for (const char* key : {"first", "second", "third"})
    ASSERT_TRUE(a_.Apply(AddNode(key)).ok());
  feed_.DropAfter(1);
  a_.WaitUntil([](const ReplicaState& s) { return !s.follower.problem.ok(); });
  EXPECT_FALSE(ParseMaxLag("1000")->Allows(a_.replica().state().follower));
  const absl::Status refused = a_.Open();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("ends with version 1, and the graph here has version "
                        "3: the feed lost its end"));
}

TEST_F(GraphReplicaTest, AFeedWithAHoleIsNotFollowed) {
  b_.Close();
  for (const char* key : {"first", "second", "third"})
    ASSERT_TRUE(a_.Apply(AddNode(key)).ok());
  feed_.Drop(2);
  const absl::Status refused = b_.Open();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("lacks version 2: version 3 came instead"));
}

TEST_F(GraphReplicaTest, AnotherFeedIsRefused) {
  ASSERT_TRUE(a_.Apply(AddNode("first")).ok());
  feed_.SetIdentity("made again");
  const absl::Status refused = a_.Open();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      std::string(refused.message()),
      HasSubstr("of the change feed \"memory\", not from \"made again\""));
}

TEST_F(GraphReplicaTest, AGraphThatFollowsAFeedTakesNoOtherChanges) {
  std::promise<Outcome> outcome;
  GraphUpdate update;
  update.changes = AddNode("new");
  update.done = [&](const Outcome& done) { outcome.set_value(done); };
  ASSERT_TRUE(a_.live().Submit(std::move(update)).ok());
  const Outcome refused = outcome.get_future().get();
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("--feed"));
}

TEST(LateEntryTest, AnEntryThatDoesNotComeBackIsAnswered) {
  InMemoryFeed feed;
  FakeClock clock;
  Replica replica(&feed, &clock);
  ASSERT_TRUE(replica.Open().ok());
  feed.HoldBackAfter(0);
  std::future<Outcome> late = replica.Send(AddNode("new"), "w", 1);
  replica.WaitUntil([](const ReplicaState& s) { return s.published == 1; });
  clock.Advance(absl::Seconds(11));
  const Outcome outcome = late.get();
  EXPECT_EQ(outcome.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(outcome.status().GetPayload(kRetryInfo).has_value());
  feed.HoldBackAfter(UINT64_MAX);
  const Outcome again = replica.Apply(AddNode("new"), "w", 1);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->repeated);
}

TEST(LocalVersionsTest, VersionsThatCameFromNoFeedAreRefused) {
  const TempDirectory directory;
  const auto store =
      *RocksDbGraphStore::Open({.directory = directory / "graph"});
  ASSERT_TRUE(store->BulkLoad(ToyGraph(), "").ok());
  const auto live = *LiveGraph::Open(store.get(), *store->BuildSnapshot());
  std::promise<Outcome> outcome;
  GraphUpdate update;
  update.changes = AddNode("new");
  update.done = [&](const Outcome& done) { outcome.set_value(done); };
  ASSERT_TRUE(live->Submit(std::move(update)).ok());
  ASSERT_TRUE(outcome.get_future().get().ok());
  const absl::Status refused = live->FollowFeed("feed");
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("versions up to 1 that came from no change feed"));
}

}  // namespace
}  // namespace slice
