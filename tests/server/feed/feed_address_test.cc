#include "server/feed/feed_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void ExpectRefused(const std::string& text, const std::string& why) {
  const auto address = ParseFeedAddress(text);
  ASSERT_FALSE(address.ok()) << text;
  EXPECT_EQ(address.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(address.status().message()), HasSubstr(why));
}

TEST(FeedAddressTest, NamesServersAndAStream) {
  const auto address =
      ParseFeedAddress("nats://a,b:4300,[::1]:4301/CHANGES?replicas=3");
  ASSERT_TRUE(address.ok()) << address.status();
  EXPECT_EQ(address->kind, FeedAddress::Kind::kNats);
  EXPECT_THAT(address->servers, ElementsAre("a:4222", "b:4300", "[::1]:4301"));
  EXPECT_EQ(address->stream, "CHANGES");
  EXPECT_EQ(address->replicas, 3);
  EXPECT_EQ(address->Name(), "nats://a:4222,b:4300,[::1]:4301/CHANGES");
}

TEST(FeedAddressTest, KafkaHasItsOwnPort) {
  const auto address = ParseFeedAddress("kafka://broker/changes");
  ASSERT_TRUE(address.ok()) << address.status();
  EXPECT_EQ(address->kind, FeedAddress::Kind::kKafka);
  EXPECT_EQ(address->Name(), "kafka://broker:9092/changes");
  EXPECT_EQ(address->replicas, 0);
}

TEST(FeedAddressTest, SaysWhatIsWrong) {
  ExpectRefused("http://a/S", "begins with neither nats:// nor kafka://");
  ExpectRefused("nats://a", "names no stream");
  ExpectRefused("nats://a/", "names the stream ''");
  ExpectRefused("nats://a/A.*", "names the stream 'A.*'");
  ExpectRefused("nats:///S", "without a host");
  ExpectRefused("nats://:4222/S", "without a host");
  ExpectRefused("nats://a,,b/S", "without a host");
  ExpectRefused("nats://a:0/S", "'0'");
  ExpectRefused("nats://a:x/S", "'x'");
  ExpectRefused("nats://a/S?replicas=9", "'9'");
  ExpectRefused("nats://a/S?copies=1",
                "unknown option 'copies=1'; the only one is ?replicas=NUMBER");
  ExpectRefused("nats://me:secret@a/S", "--feed-config");
  ExpectRefused("kafka://a/T?replicas=1", "kafka-topics");
}

}  // namespace
}  // namespace slice
