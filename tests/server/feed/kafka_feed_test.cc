// The Kafka feed against librdkafka's mock cluster.
#include "server/feed/kafka_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/server/feed/test_replica.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class KafkaFeedTest : public ::testing::Test {
 protected:
  KafkaFeedTest() {
    std::array<char, 512> error = {};
    handle_ = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), error.data(),
                           error.size());
    EXPECT_NE(handle_, nullptr) << error.data();
    cluster_ = rd_kafka_mock_cluster_new(handle_, 3);
    rd_kafka_mock_topic_create(cluster_, "changes", 1, 3);
    rd_kafka_mock_topic_create(cluster_, "parts", 2, 1);
  }
  ~KafkaFeedTest() override {
    rd_kafka_mock_cluster_destroy(cluster_);
    rd_kafka_destroy(handle_);
  }

  std::unique_ptr<ChangeFeed> Connect(const std::string& topic = "changes") {
    auto address = ParseFeedAddress(absl::StrCat(
        "kafka://", rd_kafka_mock_cluster_bootstraps(cluster_), "/", topic));
    EXPECT_TRUE(address.ok()) << address.status();
    auto feed = ConnectToKafka(*address, {{"message.timeout.ms", "1500"}});
    EXPECT_TRUE(feed.ok()) << feed.status();
    return *std::move(feed);
  }

  // Reads until there are `count` entries.
  static std::vector<FeedEntry> Read(FeedReader& reader, size_t count) {
    std::vector<FeedEntry> entries;
    while (entries.size() < count) {
      const absl::Status read =
          reader.Read(count - entries.size(), absl::Seconds(1), &entries);
      EXPECT_TRUE(read.ok()) << read;
      if (!read.ok()) break;
    }
    return entries;
  }

  rd_kafka_t* handle_ = nullptr;
  rd_kafka_mock_cluster_t* cluster_ = nullptr;
};

TEST_F(KafkaFeedTest, AnEntryGetsTheNextSequence) {
  const auto feed = Connect();
  const auto empty = feed->Extent();
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->first, 1);
  EXPECT_EQ(empty->last, 0);
  for (uint64_t i = 1; i <= 3; ++i) {
    const auto published = feed->Publish(absl::StrCat("entry ", i), "id");
    ASSERT_TRUE(published.ok()) << published.status();
    EXPECT_EQ(published->sequence, i);
    EXPECT_FALSE(published->duplicate);
  }
  const auto extent = feed->Extent();
  ASSERT_TRUE(extent.ok()) << extent.status();
  EXPECT_EQ(extent->first, 1);
  EXPECT_EQ(extent->last, 3);
  EXPECT_THAT(extent->identity, HasSubstr("changes"));
  EXPECT_TRUE(feed->connected());
}

TEST_F(KafkaFeedTest, AReaderBeginsWhereItIsAskedTo) {
  const auto feed = Connect();
  const auto other = Connect();
  for (int i = 1; i <= 5; ++i)
    ASSERT_TRUE(feed->Publish(absl::StrCat("entry ", i), "").ok());
  const auto reader = other->ReadFrom(3);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const std::vector<FeedEntry> entries = Read(**reader, 3);
  ASSERT_EQ(entries.size(), 3);
  EXPECT_EQ(entries[0].sequence, 3);
  EXPECT_EQ(entries[0].bytes, "entry 3");
  EXPECT_EQ(entries[2].sequence, 5);
  EXPECT_EQ((*reader)->known_last(), 5);
  // What comes later comes too.
  ASSERT_TRUE(feed->Publish("entry 6", "").ok());
  EXPECT_EQ(Read(**reader, 1).front().bytes, "entry 6");
}

TEST_F(KafkaFeedTest, ATopicOfSeveralPartitionsIsRefused) {
  const auto extent = Connect("parts")->Extent();
  EXPECT_EQ(extent.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(extent.status().message()),
              HasSubstr("has 2 partitions"));
}

TEST_F(KafkaFeedTest, BrokersThatAreDownAreUnavailableUntilTheyAreBack) {
  const auto feed = Connect();
  ASSERT_TRUE(feed->Publish("entry 1", "").ok());
  for (int broker = 1; broker <= 3; ++broker)
    rd_kafka_mock_broker_set_down(cluster_, broker);
  EXPECT_EQ(feed->Publish("entry 2", "").status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(feed->Extent().status().code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(feed->connected());
  for (int broker = 1; broker <= 3; ++broker)
    rd_kafka_mock_broker_set_up(cluster_, broker);
  absl::StatusOr<Published> published;
  do {
    published = feed->Publish("entry 3", "");
  } while (!published.ok());
  EXPECT_TRUE(feed->Extent().ok());
}

TEST_F(KafkaFeedTest, ReplicasOfATopicMakeTheSameVersions) {
  const auto first_feed = Connect(), second_feed = Connect();
  Replica first(first_feed.get()), second(second_feed.get());
  ASSERT_TRUE(first.Open().ok());
  ASSERT_TRUE(first.Apply(AddNode("new"), "w", 1).ok());
  ASSERT_TRUE(second.Open().ok());  // replays
  EXPECT_TRUE(second.HasNode("new"));
  const auto linked = second.Apply(AddLink("new", "depends", "curl"));
  ASSERT_TRUE(linked.ok()) << linked.status();
  EXPECT_EQ(linked->graph_version, 2);
  // A topic does not know the request again, but the graph does.
  const auto again = second.Apply(AddNode("new"), "w", 1);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->graph_version, 1);
  for (Replica* replica : {&first, &second}) replica->WaitFor(3);
  EXPECT_EQ(first.live().state().graph_version, 3);
  EXPECT_EQ(first.live().state().state_digest,
            second.live().state().state_digest);
}

TEST_F(KafkaFeedTest, AnUnknownSettingIsNamed) {
  const auto address = ParseFeedAddress("kafka://localhost/changes");
  const auto feed = ConnectToKafka(*address, {{"no.such.setting", "1"}});
  EXPECT_EQ(feed.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(feed.status().message()),
              HasSubstr("'no.such.setting'"));
}

}  // namespace
}  // namespace slice
