// A server over loopback with a fake model, and stubs that reach it.
#ifndef SLICE_TESTS_SERVER_TEST_SERVER_H_
#define SLICE_TESTS_SERVER_TEST_SERVER_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "grpc/health/v1/health.grpc.pb.h"
#include "server/link_prediction_server.h"
#include "slice/v1/graph.grpc.pb.h"
#include "slice/v1/link_prediction.grpc.pb.h"
#include "tests/testing/fake_scorer.h"
#include "tests/testing/toy_graph.h"

namespace slice {

inline ServerOptions TestServerOptions() {
  ServerOptions options;
  options.bundle = "unused";
  options.data_dir = "unused";
  options.listen = "127.0.0.1:0";
  options.executors = 1;
  options.context_workers = 1;
  return options;
}

// Listens at construction; call Serve to make it ready.
struct TestServer {
  explicit TestServer(const ServerOptions& options = TestServerOptions())
      : fake(MakeFakeModel(ToySnapshot())) {
    auto listening = LinkPredictionServer::Listen(options);
    EXPECT_TRUE(listening.ok()) << listening.status();
    server = *std::move(listening);
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    channel = grpc::CreateCustomChannel(
        server->address(), grpc::InsecureChannelCredentials(), arguments);
    links = v1::LinkPredictionService::NewStub(channel);
    graph = v1::GraphService::NewStub(channel);
    health = grpc::health::v1::Health::NewStub(channel);
  }
  ~TestServer() { fake.scorer->Release(); }

  void Serve() { server->Serve(fake.served); }

  // Returns when the metrics hold this text; else ctest's time limit ends it.
  void AwaitMetric(std::string_view text) const {
    while (server->metrics().Render().find(text) == std::string::npos) {
      std::this_thread::yield();
    }
  }

  FakeModel fake;
  std::unique_ptr<LinkPredictionServer> server;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::LinkPredictionService::Stub> links;
  std::unique_ptr<v1::GraphService::Stub> graph;
  std::unique_ptr<grpc::health::v1::Health::Stub> health;
};

// A request for `count` links curl -depends-> libssl3.
inline v1::PredictLinksRequest CurlRequest(int count = 1) {
  v1::PredictLinksRequest request;
  for (int i = 0; i < count; ++i) {
    v1::LinkRef* link = request.add_links();
    link->mutable_source()->set_key("curl");
    link->set_relation("depends");
    link->mutable_target()->set_key("libssl3");
  }
  return request;
}

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_TEST_SERVER_H_
