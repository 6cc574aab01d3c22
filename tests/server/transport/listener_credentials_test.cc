// Servers with TLS and identities on the loopback. They are made to take the
// loopback for a network: that callers there may do everything is turned off by
// AccessOptions::anonymous.
#include "server/transport/listener_credentials.h"

#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <sys/stat.h>

#include <atomic>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/escaping.h"
#include "common/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "slice/v1/admin.grpc.pb.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/test_certificate.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class ListenerCredentialsTest : public ::testing::Test {
 protected:
  ListenerCredentialsTest() { WriteServerCertificate(); }

  void WriteServerCertificate() {
    const TestCertificate own = authority_.Sign({});
    directory_.Write("cert.pem", own.certificate);
    directory_.Write("key.pem", own.private_key);
    chmod((directory_ / "key.pem").c_str(), 0600);
    directory_.Write("ca.pem", authority_.certificate());
  }

  ServerOptions Options(ClientCertificates client_auth) {
    ServerOptions options = TestServerOptions();
    options.tls = {.cert = directory_ / "cert.pem",
                   .key = directory_ / "key.pem",
                   .client_ca = client_auth == ClientCertificates::kNone
                                    ? std::filesystem::path()
                                    : directory_ / "ca.pem",
                   .client_auth = client_auth};
    options.access.anonymous = RoleSet();
    Identity shop{.name = "shop", .roles = *ParseRoles("predict")};
    shop.uris = {"spiffe://x/shop"};
    Identity token{.name = "token", .roles = *ParseRoles("predict,explore")};
    token.tokens_sha256 = {absl::HexStringToBytes(Sha256Bytes("abc"))};
    options.access.identities = {shop, token};
    return options;
  }

  // A channel that trusts the authority and shows `own`.
  std::shared_ptr<grpc::Channel> Connect(const std::string& address,
                                         const TestCertificate& own = {}) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    // Channels of one process share connections otherwise.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(
        address,
        grpc::SslCredentials(
            {authority_.certificate(), own.private_key, own.certificate}),
        arguments);
  }

  static grpc::Status Predict(
      const std::shared_ptr<grpc::Channel>& channel,
      const std::vector<std::pair<std::string, std::string>>& metadata = {}) {
    grpc::ClientContext context;
    for (const auto& [key, value] : metadata) context.AddMetadata(key, value);
    context.set_deadline(std::chrono::system_clock::now() +
                         std::chrono::seconds(30));
    v1::PredictLinksResponse response;
    return v1::LinkPredictionService::NewStub(channel)->PredictLinks(
        &context, CurlRequest(), &response);
  }

  const TempDirectory directory_;
  TestAuthority authority_;
};

TEST_F(ListenerCredentialsTest, ATokenOpensWhatItsRolesAllow) {
  TestServer test(Options(ClientCertificates::kNone));
  test.fake.scorer->Release();
  test.Serve();
  const auto channel = Connect(test.server->address());
  EXPECT_TRUE(Predict(channel, {{"authorization", "Bearer abc"}}).ok());
  EXPECT_EQ(Predict(channel).error_code(), grpc::UNAUTHENTICATED);
  EXPECT_EQ(Predict(channel, {{"authorization", "Bearer x"}}).error_code(),
            grpc::UNAUTHENTICATED);
  // Health is everybody's.
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckResponse health;
  EXPECT_TRUE(grpc::health::v1::Health::NewStub(channel)
                  ->Check(&context, {}, &health)
                  .ok());
}

// Starts calls that the scorer holds, until the server knows them, and then
// resets them all. Returns the status of the last.
grpc::Status ResetCalls(const std::shared_ptr<grpc::Channel>& channel,
                        const ServerMetrics& metrics) {
  constexpr size_t kCalls = 100;
  struct Call {
    grpc::ClientContext context;
    v1::PredictLinksRequest request = CurlRequest();
    v1::PredictLinksResponse response;
    std::promise<grpc::Status> ended;
  };
  const auto stub = v1::LinkPredictionService::NewStub(channel);
  const uint64_t before = metrics.rpcs_started();
  std::deque<Call> calls(kCalls);
  std::atomic<size_t> ended = 0;
  for (Call& call : calls) {
    stub->async()->PredictLinks(&call.context, &call.request, &call.response,
                                [&](const grpc::Status& status) {
                                  ++ended;
                                  call.ended.set_value(status);
                                });
  }
  while (metrics.rpcs_started() < before + kCalls && ended.load() == 0) {
    std::this_thread::yield();
  }
  for (Call& call : calls) call.context.TryCancel();
  grpc::Status last;
  for (Call& call : calls) last = call.ended.get_future().get();
  return last;
}

TEST_F(ListenerCredentialsTest, TheResetsOfAProxyShutNobodyOut) {
  ServerOptions options = Options(ClientCertificates::kRequest);
  Identity proxy{.name = "proxy", .roles = *ParseRoles("predict")};
  proxy.uris = {"spiffe://x/proxy"};
  proxy.is_proxy = true;
  options.access.identities.push_back(proxy);
  TestServer test(options);
  test.fake.scorer->Hold();
  test.Serve();
  const auto closed = [&] {
    return test.server->metrics().Render().find(
               "slice_hostile_connections_closed_total 0") == std::string::npos;
  };
  const auto own = Connect(test.server->address(),
                           authority_.Sign({.names = "URI:spiffe://x/proxy"}));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(ResetCalls(own, test.server->metrics()).error_code(),
              grpc::CANCELLED);
  }
  EXPECT_FALSE(closed());
  // Another client that does the same is shut out. On a slow machine it may
  // take many calls until enough of them fall into one second.
  const auto shop = Connect(test.server->address(),
                            authority_.Sign({.names = "URI:spiffe://x/shop"}));
  while (!closed()) ResetCalls(shop, test.server->metrics());
  test.fake.scorer->Release();
}

TEST_F(ListenerCredentialsTest, ACertificateOpensWhatItsRolesAllow) {
  TestServer test(Options(ClientCertificates::kRequest));
  test.fake.scorer->Release();
  test.Serve();
  const auto shop = Connect(test.server->address(),
                            authority_.Sign({.names = "URI:spiffe://x/shop"}));
  EXPECT_TRUE(Predict(shop).ok());
  grpc::ClientContext context;
  v1::FindNodesRequest request;
  v1::FindNodesResponse response;
  const grpc::Status find = v1::LinkPredictionService::NewStub(shop)->FindNodes(
      &context, request, &response);
  EXPECT_EQ(find.error_code(), grpc::PERMISSION_DENIED);
  EXPECT_THAT(find.error_message(), HasSubstr("'shop' may not call"));
  const auto other =
      Connect(test.server->address(), authority_.Sign({.names = "DNS:other"}));
  EXPECT_EQ(Predict(other).error_code(), grpc::UNAUTHENTICATED);
  // A subject that no proxy vouches for changes nothing.
  EXPECT_EQ(Predict(other, {{kSubjectHeader, "shop"}}).error_code(),
            grpc::UNAUTHENTICATED);
}

TEST_F(ListenerCredentialsTest, ACertificateOfAnotherAuthorityDoesNotConnect) {
  TestServer test(Options(ClientCertificates::kRequest));
  test.Serve();
  TestAuthority stranger;
  const auto channel = Connect(test.server->address(),
                               stranger.Sign({.names = "URI:spiffe://x/shop"}));
  EXPECT_EQ(Predict(channel).error_code(), grpc::UNAVAILABLE);
}

// The list changes while the client is connected.
TEST_F(ListenerCredentialsTest, ARevokedCertificateOpensNothingAnyMore) {
  ServerOptions options = Options(ClientCertificates::kRequest);
  options.tls.client_crl = directory_.Write("crl.pem", authority_.Revoke(1000));
  TestServer test(options);
  test.fake.scorer->Release();
  test.Serve();
  const auto shop = Connect(test.server->address(),
                            authority_.Sign({.names = "URI:spiffe://x/shop"}));
  EXPECT_TRUE(Predict(shop).ok());
  directory_.Write("crl.pem", authority_.Revoke(2));  // 1 is the server's
  grpc::Status status;
  while ((status = Predict(shop)).ok()) std::this_thread::yield();
  EXPECT_EQ(status.error_code(), grpc::UNAUTHENTICATED);
  EXPECT_THAT(status.error_message(), HasSubstr("revoked"));
}

TEST_F(ListenerCredentialsTest, AStreamEndsWhenItsIdentityIsGone) {
  ServerOptions options = Options(ClientCertificates::kNone);
  TestServer test(options);
  test.fake.scorer->Release();
  test.Serve();
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer abc");
  const auto channel = Connect(test.server->address());
  const auto stub = v1::LinkPredictionService::NewStub(channel);
  const auto stream = stub->StreamPredictLinks(&context);
  v1::PredictLinksResponse response;
  ASSERT_TRUE(stream->Write(CurlRequest()) && stream->Read(&response));
  options.access.identities.clear();
  ASSERT_TRUE(test.server->Reconfigure(options).ok());
  stream->Write(CurlRequest());
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::UNAUTHENTICATED);
}

TEST_F(ListenerCredentialsTest, RequireMeansACertificateForEveryConnection) {
  TestServer test(Options(ClientCertificates::kRequire));
  test.Serve();
  EXPECT_EQ(Predict(Connect(test.server->address()),
                    {{"authorization", "Bearer abc"}})
                .error_code(),
            grpc::UNAVAILABLE);
}

TEST_F(ListenerCredentialsTest, PlaintextDoesNotReachATlsListener) {
  TestServer test(Options(ClientCertificates::kNone));
  test.Serve();
  EXPECT_EQ(Predict(test.channel).error_code(), grpc::UNAVAILABLE);
}

// Every service that a listener has, with the methods that reflection would
// show: a caller without roles gets nothing but health.
TEST_F(ListenerCredentialsTest, WithoutRolesNothingButHealthAnswers) {
  ServerOptions options = TestServerOptions();
  options.admin_listen = "127.0.0.1:0";
  options.access.anonymous = RoleSet();
  TestServer test(options);
  test.Serve();
  const auto* const pool = google::protobuf::DescriptorPool::generated_pool();
  for (const char* service :
       {"slice.v1.LinkPredictionService", "slice.v1.GraphService",
        "slice.v1.AdminService"}) {
    const auto* const descriptor = pool->FindServiceByName(service);
    ASSERT_NE(descriptor, nullptr) << service;
    for (int i = 0; i < descriptor->method_count(); ++i) {
      const std::string method =
          "/" + std::string(service) + "/" + descriptor->method(i)->name();
      EXPECT_TRUE(RuleOf(method).has_value()) << method;
      const absl::Status status = test.server->access().Check(method, {});
      EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << method;
    }
  }
  EXPECT_EQ(Predict(test.channel).error_code(), grpc::UNAUTHENTICATED);
  grpc::ClientContext context;
  v1::GetQueueStateResponse response;
  const auto admin = v1::AdminService::NewStub(grpc::CreateChannel(
      test.server->admin_address(), grpc::InsecureChannelCredentials()));
  EXPECT_EQ(admin->GetQueueState(&context, {}, &response).error_code(),
            grpc::UNAUTHENTICATED);
}

// Connections come and go while the files change, one after the other, as a
// tool that renews certificates writes them.
TEST_F(ListenerCredentialsTest, NoCallFailsWhileCertificatesChange) {
  TestServer test(Options(ClientCertificates::kNone));
  test.fake.scorer->Release();
  test.Serve();
  std::atomic<bool> over = false;
  std::atomic<int> calls = 0;
  std::thread caller([&] {
    while (!over) {
      const auto channel = Connect(test.server->address());
      const grpc::Status status =
          Predict(channel, {{"authorization", "Bearer abc"}});
      ASSERT_TRUE(status.ok()) << status.error_message();
      ++calls;
    }
  });
  for (int i = 0; i < 3; ++i) {
    WriteServerCertificate();
    const int before = calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    EXPECT_GT(calls, before);
  }
  over = true;
  caller.join();
}

}  // namespace
}  // namespace slice
