#include "server/rpc/request_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "server/limits.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/graph_update.pb.h"
#include "slice/v1/link_prediction.pb.h"
#include "tests/testing/byte_buffer.h"

namespace slice {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::Message;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr size_t kMost = kMaxReceiveBytes;

std::string Repeated(const std::string& part, size_t bytes) {
  std::string text;
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

// A field with this number, as bytes of a message.
std::string Part(int field, const std::string& content) {
  std::string text = {static_cast<char>(field << 3 | 2)};
  size_t length = content.size();
  for (; length >= 128; length >>= 7) {
    text += static_cast<char>((length & 127) | 128);
  }
  return text + static_cast<char>(length) + content;
}

template <typename Request>
std::string ErrorOf(const std::string& text) {
  const absl::Status status =
      CheckBounds(BufferOf(text), *Request::descriptor());
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  Request request;
  EXPECT_EQ(ParseRequest(BufferOf(text), &request), status);
  EXPECT_EQ(request.ByteSizeLong(), 0u) << "it was parsed";
  return std::string(status.message());
}

void CheckLists(const Descriptor& message, std::set<const Descriptor*>& seen) {
  if (!seen.insert(&message).second) return;
  for (int i = 0; i < message.field_count(); ++i) {
    const auto& field = *message.field(i);
    EXPECT_TRUE(!field.is_repeated() || FindRequestList(field) != nullptr)
        << field.full_name();
    if (field.message_type() != nullptr)
      CheckLists(*field.message_type(), seen);
  }
}

TEST(RequestBoundsTest, EveryListOfARequestIsBounded) {
  std::set<const Descriptor*> seen;
  for (const auto* file : {v1::PredictLinksRequest::descriptor()->file(),
                           v1::GetNeighborsRequest::descriptor()->file(),
                           v1::ApplyUpdatesRequest::descriptor()->file()}) {
    for (int i = 0; i < file->service_count(); ++i) {
      for (int k = 0; k < file->service(i)->method_count(); ++k) {
        CheckLists(*file->service(i)->method(k)->input_type(), seen);
      }
    }
  }
  EXPECT_GT(seen.size(), 10u);
}

TEST(RequestBoundsTest, EmptyLinksAreCountedAndNotParsed) {
  EXPECT_EQ(ErrorOf<v1::PredictLinksRequest>(Repeated(Part(1, ""), kMost)),
            "links: holds more than 8192 links, at most 1024 are allowed");
  EXPECT_EQ(ErrorOf<v1::PredictLinksRequest>(
                Repeated(Part(1, Part(2, "r")), 5 * 1025)),
            "links: holds 1025 links, at most 1024 are allowed");
  EXPECT_EQ(ErrorOf<v1::RecommendLinksRequest>(Repeated(Part(7, ""), kMost)),
            "candidates: holds more than 80000 nodes, at most 10000 are "
            "allowed");
  EXPECT_EQ(ErrorOf<v1::ApplyUpdatesRequest>(Repeated(Part(1, ""), kMost)),
            "changes: holds more than 80000 changes, at most 10000 are "
            "allowed");
}

TEST(RequestBoundsTest, ChangesOfAWhatIfCountTogether) {
  const std::string changes = Repeated(Part(1, ""), 1 << 20);
  const std::string whole = Part(7, changes);
  EXPECT_EQ(ErrorOf<v1::PredictLinksRequest>(whole),
            "what_if.changes: holds more than 512 changes, at most 64 are "
            "allowed");
  // Parts of one message are merged.
  EXPECT_EQ(ErrorOf<v1::RecommendLinksRequest>(
                Repeated(Part(11, Part(1, "") + Part(1, "")), 65 * 80)),
            "what_if.changes: holds more than 512 changes, at most 64 are "
            "allowed");
}

TEST(RequestBoundsTest, TooManyBytesAreNotLookedAt) {
  EXPECT_EQ(
      ErrorOf<v1::PredictLinksRequest>(Repeated(Part(1, ""), kMost + 2)),
      "links: the request has 4194306 bytes, at most 4194304 are allowed");
  EXPECT_EQ(ErrorOf<v1::FindNodesRequest>(std::string(kMost + 1, 'x')),
            "the request has 4194305 bytes, at most 4194304 are allowed");
}

TEST(RequestBoundsTest, FieldsThatTheServerDoesNotKnowAreBounded) {
  const std::string unknown = "\x78\x01";  // number 15, of no message here
  for (const std::string& text :
       {Repeated(unknown, kMost), Part(1, Repeated(unknown, kMost / 2)),
        Part(1, Part(1, Repeated(unknown, kMost / 2))),
        // A group, and a known field of another type.
        "\x7b" + Repeated(unknown, kMost / 2) + "\x7c",
        Repeated("\x08\x01", kMost)}) {
    EXPECT_THAT(ErrorOf<v1::PredictLinksRequest>(text),
                HasSubstr("more than 16384 fields that this server does not "
                          "know"));
  }
  v1::PredictLinksRequest request;
  EXPECT_TRUE(
      ParseRequest(BufferOf(Repeated(unknown, 2 * kMaxUnknownFields)), &request)
          .ok())
      << "a later client may send some";
}

TEST(RequestBoundsTest, TheMostThatIsAllowedPasses) {
  v1::PredictLinksRequest request;
  for (int i = 0; i < kMaxLinksPerRequest; ++i) {
    v1::LinkRef* link = request.add_links();
    for (v1::NodeRef* node : {link->mutable_source(), link->mutable_target()}) {
      node->set_key(std::string(kMaxTextBytes, 'x'));
      node->set_type("type");
    }
    link->set_relation("relation");
  }
  for (int i = 0; i < kMaxWhatIfChanges; ++i) {
    v1::GraphChange* change = request.mutable_what_if()->add_changes();
    change->mutable_add_link()->mutable_source()->set_key("a");
    change->mutable_add_link()->set_weight(2);
  }
  request.set_prior(0.5);
  request.set_min_graph_version(1ull << 60);
  const std::string text = request.SerializeAsString();
  v1::PredictLinksRequest parsed;
  ASSERT_TRUE(ParseRequest(BufferOf(text, 1000), &parsed).ok());
  EXPECT_EQ(parsed.SerializeAsString(), text);
}

// What the parser takes, the scan takes too.
TEST(RequestBoundsTest, RefusesNothingThatIsAMessage) {
  v1::PredictLinksRequest request;
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    v1::LinkRef* link = request.add_links();
    link->mutable_source()->set_key(std::string(random.Below(60), 'x'));
    link->set_relation(absl::StrCat("relation-", i));
    link->mutable_target()->set_name("n");
  }
  request.mutable_what_if()->add_changes()->mutable_remove_node()->set_key("k");
  const std::string text = request.SerializeAsString();
  ASSERT_GT(text.size(), 4096u) << "small ones are not scanned";
  int messages = 0, others = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string changed = text;
    for (uint32_t i = 1 + random.Below(3); i > 0; --i) {
      changed[random.Below(static_cast<uint32_t>(changed.size()))] =
          static_cast<char>(random.Below(256));
    }
    v1::PredictLinksRequest parsed;
    const absl::Status bounded =
        CheckBounds(BufferOf(changed, 1 + random.Below(3000)),
                    *v1::PredictLinksRequest::descriptor());
    if (parsed.ParseFromString(changed)) {
      ++messages;
      ASSERT_TRUE(bounded.ok()) << bounded << " in round " << round;
    } else {
      ++others;
    }
  }
  EXPECT_GT(messages, 1000);
  EXPECT_GT(others, 1000);
}

}  // namespace
}  // namespace slice
