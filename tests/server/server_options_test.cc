#include "server/server_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace slice {
namespace {

ServerOptions GoodOptions() {
  ServerOptions options;
  options.bundle = "/bundle";
  options.data_dir = "/data";
  return options;
}

TEST(ServerOptionsTest, TheDefaultsNeedOnlyTheTwoDirectories) {
  EXPECT_TRUE(GoodOptions().Validate().ok());
  EXPECT_GE(GoodOptions().ExecutorCount(), 1);
  EXPECT_GE(GoodOptions().ContextWorkerCount(), 1);
  EXPECT_GE(GoodOptions().RecommendWorkerCount(), 1);
}

TEST(ServerOptionsTest, GivenThreadCountsAreKept) {
  ServerOptions options = GoodOptions();
  options.executors = 3;
  options.context_workers = 5;
  options.recommend_workers = 2;
  EXPECT_EQ(options.ExecutorCount(), 3);
  EXPECT_EQ(options.ContextWorkerCount(), 5);
  EXPECT_EQ(options.RecommendWorkerCount(), 2);
}

TEST(ServerOptionsTest, AddressesNeedAHostAndAPort) {
  for (const char* good : {"127.0.0.1:0", "localhost:65535", "[::1]:80"}) {
    EXPECT_TRUE(ValidateAddress("--listen", good).ok()) << good;
  }
  for (const char* bad :
       {"", "8500", ":8500", "host:", "host:65536", "host:-1", "host:http"}) {
    EXPECT_EQ(ValidateAddress("--listen", bad).code(),
              absl::StatusCode::kInvalidArgument)
        << bad;
  }
}

TEST(ServerOptionsTest, DevicesAreCpuAndCuda) {
  ServerOptions options = GoodOptions();
  for (const char* good : {"cpu", "cuda", "cuda:0", "cuda:11"}) {
    options.device = good;
    EXPECT_TRUE(options.Validate().ok()) << good;
  }
  for (const char* bad : {"", "tpu", "cuda:", "cuda:x", "cuda:-1", "CPU"}) {
    options.device = bad;
    EXPECT_EQ(options.Validate().code(), absl::StatusCode::kInvalidArgument)
        << bad;
  }
}

TEST(ServerOptionsTest, TheClientKeyIsANameOfMetadata) {
  ServerOptions options = GoodOptions();
  for (const char* good : {"", "slice-client", "x_1.y"}) {
    options.client_key = good;
    EXPECT_TRUE(options.Validate().ok()) << good;
  }
  for (const char* bad : {"Client", "a b", "a!", "client-bin", "caf\xc3\xa9"}) {
    options.client_key = bad;
    EXPECT_EQ(options.Validate().code(), absl::StatusCode::kInvalidArgument)
        << bad;
  }
}

TEST(ServerOptionsTest, ALostDeviceEndsTheServerByDefault) {
  EXPECT_EQ(ServerOptions().on_device_loss, DeviceLossPolicy::kExit);
}

struct BadOptionCase {
  const char* flag;
  std::function<void(ServerOptions&)> spoil;
};

class BadOptionTest : public ::testing::TestWithParam<BadOptionCase> {};

TEST_P(BadOptionTest, IsRefusedNamingTheFlag) {
  ServerOptions options = GoodOptions();
  GetParam().spoil(options);
  const absl::Status status = options.Validate();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              ::testing::StartsWith(std::string(GetParam().flag) + ": "));
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadOptionTest,
    ::testing::Values(
        BadOptionCase{"--bundle", [](auto& o) { o.bundle.clear(); }},
        BadOptionCase{"--data-dir", [](auto& o) { o.data_dir.clear(); }},
        BadOptionCase{"--data-dir",
                      [](auto& o) { o.data_dir = o.bundle = "/"; }},
        BadOptionCase{"--model-name", [](auto& o) { o.model_name.clear(); }},
        BadOptionCase{"--listen", [](auto& o) { o.listen = "nowhere"; }},
        BadOptionCase{"--metrics-listen",
                      [](auto& o) { o.metrics_listen = "nowhere"; }},
        BadOptionCase{"--max-batch-size",
                      [](auto& o) { o.max_batch_size = 0; }},
        BadOptionCase{"--max-queue-items",
                      [](auto& o) { o.max_queue_items = 1023; }},
        BadOptionCase{"--feed", [](auto& o) { o.feed = "http://a/b"; }},
        BadOptionCase{"--feed-config", [](auto& o) { o.feed_config = "f"; }},
        BadOptionCase{"--max-lag", [](auto& o) { o.max_lag = "soon"; }},
        BadOptionCase{"--executors", [](auto& o) { o.executors = -1; }},
        BadOptionCase{"--context-workers",
                      [](auto& o) { o.context_workers = 1000; }},
        BadOptionCase{"--recommend-workers",
                      [](auto& o) { o.recommend_workers = 257; }},
        BadOptionCase{"--max-deadline",
                      [](auto& o) { o.max_deadline = absl::ZeroDuration(); }},
        BadOptionCase{"--lame-duck",
                      [](auto& o) { o.lame_duck = -absl::Seconds(1); }},
        BadOptionCase{"--drain-timeout", [](auto& o) {
                        o.drain_timeout = absl::InfiniteDuration();
                      }}));

}  // namespace
}  // namespace slice
