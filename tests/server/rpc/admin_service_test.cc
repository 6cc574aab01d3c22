#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "server/limits.h"
#include "slice/v1/admin.grpc.pb.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Calls GetQueueState over a connection to `address`.
grpc::Status GetState(const std::string& address,
                      v1::GetQueueStateResponse* response) {
  const auto stub = v1::AdminService::NewStub(
      grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  return stub->GetQueueState(&context, v1::GetQueueStateRequest(), response);
}

TEST(AdminServiceTest, ASecondServerDoesNotTakeTheSocketOver) {
  const TempDirectory directory;
  const auto path = directory.path() / "admin.sock";
  ServerOptions options = TestServerOptions();
  options.admin_listen = "unix:" + path.string();
  {
    TestServer test(options);
    test.Serve();
    const auto second = LinkPredictionServer::Listen(options);
    EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(second.status().message()),
                HasSubstr("another server answers there"));
    v1::GetQueueStateResponse state;
    EXPECT_TRUE(GetState(options.admin_listen, &state).ok());
  }
  // A socket that a killed server left behind is replaced.
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(
      bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
      0);
  close(left);
  ASSERT_TRUE(std::filesystem::exists(path));
  EXPECT_TRUE(LinkPredictionServer::Listen(options).ok());
  // Another file is not replaced.
  std::filesystem::remove(path);
  std::ofstream(path) << "precious";
  EXPECT_EQ(LinkPredictionServer::Listen(options).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::filesystem::file_size(path), 8);
}

TEST(AdminServiceTest, TellsWhatWaitsAndWhatWasRefused) {
  const TempDirectory directory;
  ServerOptions options = TestServerOptions();
  options.admin_listen = "unix:" + (directory.path() / "admin.sock").string();
  options.max_queue_items = kMaxLinksPerRequest;
  options.max_batch_size = 4;
  TestServer test(options);
  test.Serve();
  test.fake.scorer->Hold();

  // One request is on the model, one waits, and one does not fit.
  const auto send = [&](int links, v1::RequestClass request_class) {
    v1::PredictLinksRequest request = CurlRequest();
    request.set_request_class(request_class);
    while (request.links_size() < links) {
      *request.add_links() = request.links(0);
    }
    return request;
  };
  const v1::PredictLinksRequest first = send(1, v1::REQUEST_CLASS_BULK);
  const v1::PredictLinksRequest second = send(1000, v1::REQUEST_CLASS_BULK);
  v1::PredictLinksResponse answers[2];
  std::vector<std::thread> callers;
  callers.emplace_back([&] {
    grpc::ClientContext context;
    EXPECT_TRUE(test.links->PredictLinks(&context, first, &answers[0]).ok());
  });
  test.fake.scorer->WaitForHeldCalls(1);
  callers.emplace_back([&] {
    grpc::ClientContext context;
    EXPECT_TRUE(test.links->PredictLinks(&context, second, &answers[1]).ok());
  });
  v1::GetQueueStateResponse state;
  do {  // until the links wait for the model
    state.Clear();
    ASSERT_TRUE(GetState(options.admin_listen, &state).ok());
  } while (state.queues(1).bulk().links() < 1000);
  {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    EXPECT_EQ(test.links
                  ->PredictLinks(&context, send(100, v1::REQUEST_CLASS_BULK),
                                 &response)
                  .error_code(),
              grpc::RESOURCE_EXHAUSTED);
  }
  state.Clear();
  ASSERT_TRUE(GetState(options.admin_listen, &state).ok());
  EXPECT_EQ(state.links(), 1001);
  EXPECT_EQ(state.max_links(), kMaxLinksPerRequest);
  EXPECT_GT(state.bytes(), 0);
  ASSERT_EQ(state.queues_size(), 2);
  EXPECT_EQ(state.queues(0).stage(), "context");
  EXPECT_EQ(state.queues(0).bulk().links(), 0);
  EXPECT_EQ(state.queues(1).stage(), "model");
  EXPECT_EQ(state.queues(1).bulk().clients(), 1);
  EXPECT_EQ(state.queues(1).next_batch().bulk_links(), 4);
  EXPECT_EQ(state.queues(1).next_batch().interactive_links(), 0);
  ASSERT_EQ(state.shed_size(), 1);
  EXPECT_EQ(state.shed(0).reason(), "queue_full");
  EXPECT_EQ(state.shed(0).links(), 100);
  EXPECT_EQ(state.shed(0).request_class(), v1::REQUEST_CLASS_BULK);
  test.fake.scorer->Release();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(answers[1].results_size(), 1000);
}

TEST(AdminServiceTest, IsNotOnTheListenerOfRequests) {
  TestServer test;
  test.Serve();
  v1::GetQueueStateResponse state;
  EXPECT_EQ(GetState(test.server->address(), &state).error_code(),
            grpc::UNIMPLEMENTED);
}

TEST(AdminServiceTest, ListensLocallyUnlessThereIsTls) {
  ServerOptions options = TestServerOptions();
  for (const char* good : {"unix:/run/slice/admin.sock", "127.0.0.1:0",
                           "localhost:50052", "[::1]:50052"}) {
    options.admin_listen = good;
    EXPECT_TRUE(options.Validate().ok()) << good;
  }
  for (const char* bad : {"0.0.0.0:50052", "10.0.0.1:50052", "unix:", "x"}) {
    options.admin_listen = bad;
    options.allow_plaintext = true;
    const absl::Status status = options.Validate();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_THAT(std::string(status.message()), HasSubstr("--admin-listen"));
  }
  options.tls = {.cert = "c", .key = "k"};
  options.admin_listen = "0.0.0.0:50052";
  EXPECT_TRUE(options.Validate().ok());
}

}  // namespace
}  // namespace slice
