// State makes all metrics and keeps pointers to them. ServerMetrics finds a
// pointer by the value of an enum and counts. Metrics whose labels are not
// known yet (bundle, forward path) are added later.
#include "server/server_metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>
#include <atomic>
#include <utility>

#include "common/vector_variants.h"
#include "server/grpc_status.h"
#include "server/process_metrics.h"
#include "server/sampled_metrics.h"

#ifndef SLICE_VERSION
#error "the build defines SLICE_VERSION"
#endif

namespace slice {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;
using Buckets = Histogram::BucketBoundaries;

constexpr const char* kLookupResults[2] = {"miss", "hit"};
constexpr const char* kRecommendOutcomeNames[2] = {"complete", "best_so_far"};

prometheus::Labels MethodLabels(int method) {
  const auto rpc = static_cast<RpcMethod>(method);
  return {{"grpc_service", std::string(RpcServiceName(rpc))},
          {"grpc_method", std::string(RpcMethodName(rpc))}};
}

template <typename Metric>
prometheus::Family<Metric>& AddFamily(Registry& registry, const char* name,
                                      const char* help);
template <>
prometheus::Family<Counter>& AddFamily(Registry& registry, const char* name,
                                       const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}
template <>
prometheus::Family<Gauge>& AddFamily(Registry& registry, const char* name,
                                     const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
}
template <>
prometheus::Family<Histogram>& AddFamily(Registry& registry, const char* name,
                                         const char* help) {
  return prometheus::BuildHistogram().Name(name).Help(help).Register(registry);
}

Counter& AddCounter(Registry& registry, const char* name, const char* help) {
  return AddFamily<Counter>(registry, name, help).Add({});
}

// One counter per value of `label`.
template <size_t N>
std::array<Counter*, N> AddCounters(Registry& registry, const char* name,
                                    const char* help, const char* label,
                                    const char* const (&values)[N],
                                    const prometheus::Labels& constant = {}) {
  auto& family = AddFamily<Counter>(registry, name, help);
  std::array<Counter*, N> counters;
  for (size_t i = 0; i < N; ++i) {
    prometheus::Labels labels = constant;
    labels[label] = values[i];
    counters[i] = &family.Add(labels);
  }
  return counters;
}

Histogram& AddHistogram(Registry& registry, const char* name, const char* help,
                        const Buckets& buckets) {
  return AddFamily<Histogram>(registry, name, help).Add({}, buckets);
}

}  // namespace

struct ServerMetrics::State {
  State();
  void AddRpcMetrics();
  void AddItemMetrics();
  void AddRecommendMetrics();

  const std::shared_ptr<Registry> registry = std::make_shared<Registry>();
  const std::shared_ptr<SampledMetrics> sampled =
      std::make_shared<SampledMetrics>();
  ModelMetrics models{*registry};

  std::atomic<uint64_t> rpcs_started{0};
  std::array<Counter*, kRpcMethodCount> started;
  std::array<std::array<Counter*, kGrpcCodeCount>, kRpcMethodCount> handled;
  std::array<Histogram*, kRpcMethodCount> handling;
  std::array<std::array<Counter*, kItemOutcomeCount>, kRequestClasses> items;
  std::array<Histogram*, kStageCount> stages;
  std::array<Counter*, kShedReasonCount> shed;
  std::array<Histogram*, kRecommendStageCount> recommend_stages;
  std::array<Counter*, 2> recommended;
  Histogram* recommend_candidates;
  Histogram* batch_items;
  Histogram* batch_padding;
  Counter* expired_on_model;
  Counter* hostile_connections;
  Histogram* context_nodes;
  Counter* context_truncated;
  Histogram* score;
  std::array<Counter*, 2> result_lookups;
  Counter* unknown_node;
  Counter* unknown_relation;
  Gauge* ready;
  Gauge* draining;
  prometheus::Family<Gauge>* forward_info;
  prometheus::Family<Gauge>* forward_seconds;
};

ServerMetrics::State::State() {
  AddRpcMetrics();
  AddItemMetrics();
  AddRecommendMetrics();
  ready = &AddFamily<Gauge>(*registry, "slice_ready",
                            "1 while the server answers predictions.")
               .Add({});
  draining = &AddFamily<Gauge>(*registry, "slice_draining",
                               "1 once the server has begun to stop.")
                  .Add({});
  forward_info = &AddFamily<Gauge>(
      *registry, "slice_forward_info",
      "1; the labels name the forward path and the vector instructions.");
  forward_seconds = &AddFamily<Gauge>(
      *registry, "slice_forward_seconds",
      "Shortest time of each forward path on a generated batch, at load.");
  AddFamily<Gauge>(*registry, "slice_build_info", "1; the version is a label.")
      .Add({{"version", std::string(ServerVersion())}})
      .Set(1);
}

void ServerMetrics::State::AddRpcMetrics() {
  auto& started_family = AddFamily<Counter>(
      *registry, "grpc_server_started_total", "RPCs started on the server.");
  auto& handled_family =
      AddFamily<Counter>(*registry, "grpc_server_handled_total",
                         "RPCs completed on the server, by status code.");
  auto& handling_family = AddFamily<Histogram>(
      *registry, "grpc_server_handling_seconds",
      "Time from the arrival of an RPC to its reply, failures included.");
  for (int method = 0; method < kRpcMethodCount; ++method) {
    const prometheus::Labels labels = MethodLabels(method);
    started[method] = &started_family.Add(labels);
    handling[method] = &handling_family.Add(labels, SecondsBuckets());
    for (int code = 0; code < kGrpcCodeCount; ++code) {
      prometheus::Labels with_code = labels;
      with_code["grpc_code"] = std::string(GrpcCodeName(code));
      handled[method][code] = &handled_family.Add(with_code);
    }
  }
}

void ServerMetrics::State::AddItemMetrics() {
  for (int i = 0; i < kRequestClasses; ++i) {
    items[i] =
        AddCounters(*registry, "slice_items_total",
                    "Links whose work ended, by class and outcome.", "outcome",
                    kItemOutcomeNames, {{"class", kRequestClassNames[i]}});
  }
  shed = AddCounters(*registry, "slice_shed_total",
                     "Links, lookups and recommendations refused at admission.",
                     "reason", kShedReasonNames);
  auto& stage_family = AddFamily<Histogram>(
      *registry, "slice_stage_duration_seconds",
      "Time of a link in a stage; model: of a batch; respond: of a reply.");
  for (int stage = 0; stage < kStageCount; ++stage) {
    stages[stage] =
        &stage_family.Add({{"stage", kStageNames[stage]}}, SecondsBuckets());
  }
  batch_items = &AddHistogram(*registry, "slice_batch_items",
                              "Links per batch given to the model.",
                              {1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
  batch_padding =
      &AddHistogram(*registry, "slice_batch_padding_ratio",
                    "Share of a batch's token positions that are padding.",
                    {0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});
  expired_on_model = &AddCounter(
      *registry, "slice_expired_on_model_total",
      "Links that reached the model after their deadline; must stay 0.");
  hostile_connections = &AddCounter(
      *registry, "slice_hostile_connections_closed_total",
      "Connections closed because they flooded the server with calls.");
  context_nodes = &AddHistogram(*registry, "slice_context_nodes",
                                "Nodes of a context subgraph.",
                                {1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 64});
  context_truncated =
      &AddCounter(*registry, "slice_context_truncated_total",
                  "Contexts whose search was cut short, by a hub or a bound.");
  score = &AddHistogram(*registry, "slice_score",
                        "Calibrated probability of a scored link.",
                        {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1});
  result_lookups = AddCounters(*registry, "slice_result_cache_lookups_total",
                               "Links looked up in the result cache.", "result",
                               kLookupResults);
  unknown_node = &AddCounter(*registry, "slice_unknown_node_total",
                             "Links that named an unknown or ambiguous node.");
  unknown_relation = &AddCounter(*registry, "slice_unknown_relation_total",
                                 "Links that named an unknown relation.");
}

void ServerMetrics::State::AddRecommendMetrics() {
  auto& family =
      AddFamily<Histogram>(*registry, "slice_recommend_stage_duration_seconds",
                           "Time of a recommendation in a stage: rank all "
                           "candidates, rerank the best, explain those sent.");
  for (int stage = 0; stage < kRecommendStageCount; ++stage) {
    recommend_stages[stage] =
        &family.Add({{"stage", kRecommendStageNames[stage]}}, SecondsBuckets());
  }
  recommended = AddCounters(
      *registry, "slice_recommendations_total",
      "Recommendations ranked, by whether the deadline cut them short.",
      "outcome", kRecommendOutcomeNames);
  recommend_candidates =
      &AddHistogram(*registry, "slice_recommend_candidates",
                    "Nodes ranked for a recommendation.",
                    {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000});
}

ServerMetrics::ServerMetrics() : state_(std::make_unique<State>()) {}
ServerMetrics::~ServerMetrics() = default;

void ServerMetrics::RpcStarted(RpcMethod method) {
  state_->rpcs_started.fetch_add(1, std::memory_order_relaxed);
  state_->started[static_cast<int>(method)]->Increment();
}

uint64_t ServerMetrics::rpcs_started() const {
  return state_->rpcs_started.load(std::memory_order_relaxed);
}

void ServerMetrics::RpcHandled(RpcMethod method, int code,
                               absl::Duration elapsed) {
  if (code < 0 || code >= kGrpcCodeCount) code = 2;  // UNKNOWN
  state_->handled[static_cast<int>(method)][code]->Increment();
  state_->handling[static_cast<int>(method)]->Observe(
      absl::ToDoubleSeconds(elapsed));
}

void ServerMetrics::ItemEnded(RequestClass request_class, ItemOutcome outcome) {
  state_->items[static_cast<int>(request_class)][static_cast<int>(outcome)]
      ->Increment();
}

void ServerMetrics::StageTook(Stage stage, absl::Duration elapsed) {
  state_->stages[static_cast<int>(stage)]->Observe(
      absl::ToDoubleSeconds(elapsed));
}

void ServerMetrics::BatchFormed(size_t items, double padding_ratio) {
  state_->batch_items->Observe(static_cast<double>(items));
  state_->batch_padding->Observe(padding_ratio);
}

void ServerMetrics::ItemsShed(ShedReason reason, size_t items) {
  state_->shed[static_cast<int>(reason)]->Increment(static_cast<double>(items));
}

void ServerMetrics::ExpiredOnModel(size_t items) {
  state_->expired_on_model->Increment(static_cast<double>(items));
}

void ServerMetrics::HostileConnectionClosed() {
  state_->hostile_connections->Increment();
}

void ServerMetrics::ContextCut(size_t nodes, bool truncated) {
  state_->context_nodes->Observe(static_cast<double>(nodes));
  if (truncated) state_->context_truncated->Increment();
}

void ServerMetrics::Scored(double probability) {
  state_->score->Observe(probability);
}

void ServerMetrics::ResultLookedUp(bool hit) {
  state_->result_lookups[hit ? 1 : 0]->Increment();
}

ModelMetrics& ServerMetrics::models() { return state_->models; }

void ServerMetrics::RecommendStageTook(RecommendStage stage,
                                       absl::Duration elapsed) {
  state_->recommend_stages[static_cast<int>(stage)]->Observe(
      absl::ToDoubleSeconds(elapsed));
}

void ServerMetrics::Recommended(size_t candidates, bool best_so_far) {
  state_->recommended[best_so_far ? 1 : 0]->Increment();
  state_->recommend_candidates->Observe(static_cast<double>(candidates));
}

void ServerMetrics::UnknownNode() { state_->unknown_node->Increment(); }

void ServerMetrics::UnknownRelation() { state_->unknown_relation->Increment(); }

void ServerMetrics::SetReady(bool ready) { state_->ready->Set(ready ? 1 : 0); }
void ServerMetrics::SetDraining(bool draining) {
  state_->draining->Set(draining ? 1 : 0);
}

void ServerMetrics::SetForward(ForwardPath path,
                               std::span<const ForwardTiming> timings) {
  state_->forward_info
      ->Add(
          {{"forward_path", std::string(ForwardPathName(path))},
           {"instruction_set", std::string(VectorSetName(MachineVectorSet()))}})
      .Set(1);
  for (const ForwardTiming& timing : timings) {
    state_->forward_seconds
        ->Add({{"forward_path", std::string(ForwardPathName(timing.path))},
               {"contexts", std::to_string(timing.contexts)}})
        .Set(absl::ToDoubleSeconds(timing.duration));
  }
}

void ServerMetrics::AddSampledGauge(std::string name, std::string help,
                                    std::function<double()> value) {
  state_->sampled->Add(prometheus::MetricType::Gauge, std::move(name),
                       std::move(help), std::move(value));
}

void ServerMetrics::AddSampledCounter(std::string name, std::string help,
                                      std::function<double()> value) {
  state_->sampled->Add(prometheus::MetricType::Counter, std::move(name),
                       std::move(help), std::move(value));
}

void ServerMetrics::AddSampledGauges(
    std::string name, std::string help,
    std::function<std::vector<LabelledValue>()> values) {
  state_->sampled->Add(prometheus::MetricType::Gauge, std::move(name),
                       std::move(help), std::move(values));
}

void ServerMetrics::AddSampledCounters(
    std::string name, std::string help,
    std::function<std::vector<LabelledValue>()> values) {
  state_->sampled->Add(prometheus::MetricType::Counter, std::move(name),
                       std::move(help), std::move(values));
}

void ServerMetrics::ClearSampledMetrics() { state_->sampled->Clear(); }

std::string ServerMetrics::Render() const {
  std::vector<prometheus::MetricFamily> families;
  const std::shared_ptr<prometheus::Collectable> all[] = {
      state_->registry, state_->sampled, std::make_shared<ProcessMetrics>()};
  for (const auto& collectable : all) {
    for (auto& family : collectable->Collect()) {
      families.push_back(std::move(family));
    }
  }
  return prometheus::TextSerializer().Serialize(families);
}

std::string_view ServerVersion() { return SLICE_VERSION; }

}  // namespace slice
