// Every method refuses bytes that are no valid message.
#include <gmock/gmock.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Writes one message, reads one reply and returns the status of the call.
grpc::Status CallWith(const std::shared_ptr<grpc::Channel>& channel,
                      const std::string& method, const std::string& bytes) {
  grpc::GenericStub stub(channel);
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  const auto wait = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    return ok;
  };
  auto call = stub.PrepareCall(&context, method, &queue);
  call->StartCall(nullptr);
  wait();
  const grpc::Slice slice(bytes);
  call->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
  wait();
  grpc::ByteBuffer reply;
  do {
    call->Read(&reply, nullptr);
  } while (wait());
  grpc::Status status;
  call->Finish(&status, nullptr);
  wait();
  return status;
}

TEST(MalformedMessagesTest, AreInvalidArgumentsAndCounted) {
  TestServer test;
  test.Serve();
  const std::string links = "/slice.v1.LinkPredictionService/";
  for (const std::string& method :
       {links + "PredictLinks", links + "StreamPredictLinks",
        links + "RecommendLinks", links + "FindNodes", links + "GetModelInfo",
        links + "ListRelations",
        std::string("/slice.v1.GraphService/GetNeighbors")}) {
    SCOPED_TRACE(method);
    const grpc::Status status = CallWith(test.channel, method, "\xff\xff\x01");
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(),
                HasSubstr("the bytes of the call are no slice.v1."));
  }
}

}  // namespace
}  // namespace slice
