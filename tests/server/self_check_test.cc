#include "server/self_check.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

constexpr absl::Duration kLong = absl::Minutes(1);

TEST(SelfCheckTest, AServerIsAliveFromTheStartToTheLameDuck) {
  TestServer test;
  EXPECT_TRUE(test.server->IsAlive(kLong));
  test.Serve();
  EXPECT_TRUE(test.server->IsAlive(kLong));
  test.server->EnterLameDuck();
  EXPECT_TRUE(test.server->IsAlive(kLong));
}

TEST(SelfCheckTest, ABusyServerIsAlive) {
  TestServer test;
  test.Serve();
  test.fake.scorer->Hold();
  std::thread caller([&test] {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    (void)test.links->PredictLinks(&context, CurlRequest(2), &response);
  });
  test.fake.scorer->WaitForHeldCalls(1);
  EXPECT_TRUE(test.server->IsAlive(kLong));
  test.fake.scorer->Release();
  caller.join();
}

TEST(SelfCheckTest, AServerWhoseLinksNobodyTakesIsNot) {
  ServerOptions options = TestServerOptions();
  options.max_deadline = absl::Milliseconds(20);
  TestServer test(options);
  test.Serve();
  test.fake.scorer->Hold();
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&test] {
      grpc::ClientContext context;
      v1::PredictLinksResponse response;
      (void)test.links->PredictLinks(&context, CurlRequest(2), &response);
    });
    if (i == 0) test.fake.scorer->WaitForHeldCalls(1);
  }
  // The links of the other callers wait behind those that are held.
  while (test.server->IsAlive(kLong)) std::this_thread::yield();
  test.fake.scorer->Release();
  for (std::thread& caller : callers) caller.join();
  while (!test.server->IsAlive(kLong)) std::this_thread::yield();
}

}  // namespace
}  // namespace slice
