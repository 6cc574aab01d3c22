#include "server/server_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/vector_variants.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MetricsTest, EveryFamilyIsThereFromTheStart) {
  const std::string text = ServerMetrics().Render();
  for (const char* name : {"grpc_server_started_total",
                           "grpc_server_handled_total",
                           "grpc_server_handling_seconds",
                           "slice_items_total",
                           "slice_stage_duration_seconds",
                           "slice_batch_items",
                           "slice_batch_padding_ratio",
                           "slice_shed_total",
                           "slice_expired_on_model_total",
                           "slice_context_nodes",
                           "slice_context_truncated_total",
                           "slice_score",
                           "slice_result_cache_lookups_total",
                           "slice_unknown_node_total",
                           "slice_unknown_relation_total",
                           "slice_recommendations_total",
                           "slice_recommend_stage_duration_seconds",
                           "slice_recommend_candidates",
                           "slice_ready",
                           "slice_draining",
                           "slice_build_info",
                           "process_resident_memory_bytes",
                           "process_cpu_seconds_total",
                           "process_open_fds",
                           "process_start_time_seconds"}) {
    EXPECT_THAT(text, HasSubstr(std::string("# TYPE ") + name + " ")) << name;
  }
}

TEST(MetricsTest, RpcsAreCountedByMethodAndCode) {
  ServerMetrics metrics;
  metrics.RpcStarted(RpcMethod::kPredictLinks);
  metrics.RpcHandled(RpcMethod::kPredictLinks, 5, absl::Milliseconds(3));
  const std::string text = metrics.Render();
  EXPECT_THAT(text,
              HasSubstr("grpc_server_started_total{grpc_method=\"PredictLinks\""
                        ",grpc_service=\"slice.v1.LinkPredictionService\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("grpc_server_handled_total{grpc_code=\"NOT_FOUND\","
                        "grpc_method=\"PredictLinks\",grpc_service=\"slice.v1."
                        "LinkPredictionService\"} 1"));
}

TEST(MetricsTest, ItemsAreCountedByOutcome) {
  ServerMetrics metrics;
  metrics.ItemEnded(RequestClass::kInteractive, ItemOutcome::kScored);
  metrics.ItemEnded(RequestClass::kInteractive, ItemOutcome::kScored);
  metrics.ItemEnded(RequestClass::kInteractive, ItemOutcome::kExpired);
  const std::string text = metrics.Render();
  EXPECT_THAT(
      text,
      HasSubstr(
          "slice_items_total{class=\"interactive\",outcome=\"scored\"} 2"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "slice_items_total{class=\"interactive\",outcome=\"expired\"} 1"));
}

TEST(MetricsTest, HistogramsSumWhatWasObserved) {
  ServerMetrics metrics;
  metrics.BatchFormed(10, 0.25);
  metrics.BatchFormed(2, 0);
  metrics.StageTook(Stage::kModel, absl::Milliseconds(500));
  const std::string text = metrics.Render();
  EXPECT_THAT(text, HasSubstr("slice_batch_items_sum 12"));
  EXPECT_THAT(text, HasSubstr("slice_batch_items_count 2"));
  EXPECT_THAT(
      text, HasSubstr("slice_stage_duration_seconds_sum{stage=\"model\"} 0.5"));
}

TEST(MetricsTest, RequestsAreCountedByModel) {
  ServerMetrics metrics;
  metrics.models().Answered("amazon", 8, absl::Milliseconds(500));
  const std::string text = metrics.Render();
  EXPECT_THAT(text, HasSubstr("slice_model_requests_total{grpc_code=\"RESOURCE_"
                              "EXHAUSTED\",model=\"amazon\"} 1"));
  EXPECT_THAT(
      text, HasSubstr("slice_model_request_seconds_sum{model=\"amazon\"} 0.5"));
}

TEST(MetricsTest, AShadowThatNeverFailedHasAZero) {
  ServerMetrics metrics;
  metrics.models().ShadowScored("amazon", .1);
  EXPECT_THAT(metrics.Render(),
              HasSubstr("slice_shadow_failures_total{model=\"amazon\"} 0"));
}

TEST(MetricsTest, SampledGaugesAreAskedAtEveryScrape) {
  ServerMetrics metrics;
  double value = 1;
  metrics.AddSampledGauge("slice_queue_items", "Help.",
                          [&value] { return value; });
  EXPECT_THAT(metrics.Render(), HasSubstr("slice_queue_items 1"));
  value = 5;
  EXPECT_THAT(metrics.Render(), HasSubstr("slice_queue_items 5"));
  metrics.ClearSampledMetrics();
  EXPECT_THAT(metrics.Render(), Not(HasSubstr("slice_queue_items")));
}

TEST(MetricsTest, SampledCountersSayThatTheyAreCounters) {
  ServerMetrics metrics;
  metrics.AddSampledCounter("slice_things_total", "Help.", [] { return 3; });
  EXPECT_THAT(metrics.Render(), HasSubstr("# TYPE slice_things_total counter\n"
                                          "slice_things_total 3"));
}

TEST(MetricsTest, ProcessMetricsAreOfThisProcess) {
  const std::string text = ServerMetrics().Render();
  const auto value = [&text](const std::string& name) {
    return std::stod(
        text.substr(text.find("\n" + name + " ") + name.size() + 2));
  };
  EXPECT_GT(value("process_resident_memory_bytes"), 1e6);
  EXPECT_LT(value("process_resident_memory_bytes"), 1e11);
  EXPECT_GE(value("process_open_fds"), 3);
  EXPECT_GE(value("process_threads"), 1);
  const double now = absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch());
  EXPECT_NEAR(value("process_start_time_seconds"), now, 600);
}

TEST(MetricsTest, TellsHowTheNetworkIsRunAndWhatThatWasChosenBy) {
  ServerMetrics metrics;
  const ForwardTiming timings[] = {
      {ForwardPath::kNative, 64, absl::Milliseconds(2)},
      {ForwardPath::kTorchScript, 64, absl::Milliseconds(5)}};
  metrics.SetForward(ForwardPath::kNative, timings);
  const std::string text = metrics.Render();
  EXPECT_THAT(text,
              HasSubstr(absl::StrCat(
                  "slice_forward_info{forward_path=\"native\","
                  "instruction_set=\"",
                  std::string(VectorSetName(MachineVectorSet())), "\"} 1")));
  EXPECT_THAT(text, HasSubstr("slice_forward_seconds{contexts=\"64\","
                              "forward_path=\"torchscript\"} 0.005"));
}

}  // namespace
}  // namespace slice
