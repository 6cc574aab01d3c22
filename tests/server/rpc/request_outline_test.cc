#include "server/rpc/request_outline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/random.h"
#include "server/rpc/predict_messages.h"
#include "tests/testing/byte_buffer.h"

namespace slice {
namespace {

v1::PredictLinksRequest RandomRequest(Random& random) {
  v1::PredictLinksRequest request;
  const auto text = [&random] { return std::string(random.Below(300), 'x'); };
  for (uint32_t i = random.Below(40); i > 0; --i) {
    v1::LinkRef* link = request.add_links();
    link->mutable_source()->set_key(text());
    link->set_relation(text());
    link->mutable_target()->set_name(text());
  }
  request.set_model(text());
  request.set_scorer(text());
  request.set_explanation_level(
      static_cast<v1::ExplanationLevel>(random.Below(4)));
  request.set_request_class(static_cast<v1::RequestClass>(random.Below(3)));
  return request;
}

TEST(RequestOutlineTest, HoldsWhatTheMessageHolds) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const v1::PredictLinksRequest request = RandomRequest(random);
    const grpc::ByteBuffer bytes =
        BufferOf(request.SerializeAsString(), 1 + random.Below(500));
    const RequestOutline outline = ReadOutline(bytes);
    EXPECT_EQ(outline.links, request.links_size()) << seed;
    EXPECT_EQ(outline.request_class, request.request_class()) << seed;
    EXPECT_EQ(outline.model, request.model()) << seed;
    // Reading the outline does not consume the bytes.
    PredictMessages messages;
    ASSERT_TRUE(messages.Parse(bytes).ok()) << seed;
    EXPECT_EQ(messages.request().SerializeAsString(),
              request.SerializeAsString());
  }
}

TEST(RequestOutlineTest, OfAnyBytesEndsAtTheFault) {
  Random random(1);
  const v1::PredictLinksRequest request = RandomRequest(random);
  const std::string text = request.SerializeAsString();
  int links = 0;
  for (size_t size = 0; size <= text.size(); ++size) {
    const RequestOutline outline = ReadOutline(BufferOf(text.substr(0, size)));
    EXPECT_GE(outline.links, links);
    links = outline.links;
  }
  EXPECT_EQ(links, request.links_size());
  for (int i = 0; i < 1000; ++i) {
    std::string noise(random.Below(64), '\0');
    for (char& c : noise) c = static_cast<char>(random.Below(256));
    EXPECT_LE(ReadOutline(BufferOf(noise)).links, 32);
  }
}

}  // namespace
}  // namespace slice
