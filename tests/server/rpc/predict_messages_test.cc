#include "server/rpc/predict_messages.h"

#include <gtest/gtest.h>

#include <string>

namespace slice {
namespace {

grpc::ByteBuffer Bytes(const std::string& text) {
  const grpc::Slice slice(text);
  return grpc::ByteBuffer(&slice, 1);
}

TEST(PredictMessagesTest, OtherBytesAreRefused) {
  PredictMessages messages;
  const absl::Status status = messages.Parse(Bytes("\xff\xff\xff"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("slice.v1.PredictLinksRequest"),
            absl::string_view::npos);
}

TEST(PredictMessagesTest, NoBytesAreAnEmptyRequest) {
  PredictMessages messages;
  EXPECT_TRUE(messages.Parse(Bytes("")).ok());
  EXPECT_EQ(messages.request().links_size(), 0);
}

TEST(PredictMessagesTest, TheResponseIsWritten) {
  PredictMessages messages;
  for (int results : {0, 1, 1000}) {
    messages.response()->Clear();
    for (int i = 0; i < results; ++i)
      messages.response()->add_results()->set_logit(static_cast<float>(i));
    grpc::ByteBuffer bytes;
    ASSERT_TRUE(messages.Serialize(&bytes).ok());
    grpc::Slice whole;
    ASSERT_TRUE(bytes.DumpToSingleSlice(&whole).ok());
    v1::PredictLinksResponse read;
    ASSERT_TRUE(
        read.ParseFromArray(whole.begin(), static_cast<int>(whole.size())));
    EXPECT_EQ(read.results_size(), results);
  }
}

}  // namespace
}  // namespace slice
