// Start (Listen):
//   1. the pipeline, the two task queues and the services are made; there is
//      no model yet
//   2. a ConnectionListener accepts connections, drops those that its bounds
//      forbid, and hands the others to gRPC's acceptor
//   3. AdminService, /metrics and the page with the JSON API get listeners of
//      their own; the API calls gRPC within the process
// Load fills the ModelRegistry, and the services begin to answer.
//
// Stop (Shutdown):
//   1. new requests are refused, and each stream ends once the requests that it
//      sent are answered
//   2. when clients have had time to notice, gRPC stops
//   3. the pipeline empties itself stage by stage, and the threads are joined
// The order matters: a call may use the pipeline until gRPC has ended the call,
// and sampled metrics read the pipeline and the deployment until
// ClearSampledMetrics returns.
#include "server/link_prediction_server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/logging.h"
#include "common/periodic_task.h"
#include "common/status_macros.h"
#include "server/feed/feed_connection.h"
#include "server/graph_metrics.h"
#include "server/limits.h"
#include "server/part_metrics.h"
#include "server/scheduling/worker_threads.h"
#include "server/self_check.h"
#include "server/transport/accepting_server.h"
#include "server/transport/call_interceptor.h"
#include "server/transport/transport_limits.h"

namespace slice {
namespace {

constexpr TaskQueueOptions kLookupQueue = {.threads = 1, .max_tasks = 256};
// To load a model takes seconds of a core, so it gives way to requests.
constexpr TaskQueueOptions kChangeQueue = {
    .threads = 1, .max_tasks = 8, .niceness = kBulkNiceness};
constexpr size_t kMaxWaitingRecommendations = 64;
// Cost of recommendations (RankingCost) that one client may take in a row.
constexpr size_t kRecommendQuantum = 50;

// A recommendation takes the time of thousands of scored links.
constexpr int kRecommendNiceness = kBulkNiceness;
// Shutdown waits until no RPC has come for kQuietTime, but no longer than
// kMaxQuietWait.
constexpr absl::Duration kQuietTime = absl::Milliseconds(50);
constexpr absl::Duration kMaxQuietWait = absl::Seconds(1);

void LogIfError(const absl::Status& status) {
  if (!status.ok()) LogError("%s", std::string(status.message()));
}

}  // namespace

LinkPredictionServer::LinkPredictionServer(const ServerOptions& options,
                                           const Clock* clock,
                                           ConfigReloader* reloader)
    : options_(options),
      clock_(clock),
      reloader_(reloader),
      hostile_hosts_(clock),
      metrics_(std::make_unique<ServerMetrics>()),
      quotas_(options.quotas, clock),
      device_health_(std::make_shared<DeviceHealth>(
          [this](const absl::Status&) { OnDeviceLoss(); })),
      registry_(options.Models().default_name),
      configured_models_(options.Models()) {}

LinkPredictionServer::~LinkPredictionServer() { Shutdown(); }

absl::StatusOr<std::unique_ptr<LinkPredictionServer>>
LinkPredictionServer::Listen(const ServerOptions& options, const Clock* clock,
                             ConfigReloader* reloader) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  std::unique_ptr<LinkPredictionServer> server(
      new LinkPredictionServer(options, clock, reloader));
  if (reloader != nullptr) {
    reloader->SetApply([one = server.get()](const ServerOptions& changed) {
      return one->Reconfigure(changed);
    });
  }
  SLICE_RETURN_IF_ERROR(server->StartSecurity());
  SLICE_RETURN_IF_ERROR(server->StartDeployment());
  SLICE_RETURN_IF_ERROR(server->StartPipeline());
  server->MakeServices();
  SLICE_RETURN_IF_ERROR(server->StartGrpc());
  SLICE_RETURN_IF_ERROR(server->StartAdmin());
  server->AddMetrics();
  SLICE_RETURN_IF_ERROR(server->StartHttp());
  return server;
}

absl::Status LinkPredictionServer::StartSecurity() {
  SLICE_ASSIGN_OR_RETURN(AccessPolicy policy,
                         AccessPolicy::Create(options_.access.identities,
                                              options_.access.anonymous));
  SLICE_ASSIGN_OR_RETURN(call_log_, CallLog::Open(options_.call_log, clock_));
  access_ = std::make_unique<AccessControl>(std::move(policy), call_log_.get(),
                                            clock_);
  if (!options_.tls.enabled()) return absl::OkStatus();
  if (options_.tls.min_version == "1.3") {
    SLICE_RETURN_IF_ERROR(RequireTls13());
  }
  SLICE_ASSIGN_OR_RETURN(certificates_,
                         TlsCertificates::Load(options_.tls, clock_));
  return absl::OkStatus();
}

absl::Status LinkPredictionServer::StartDeployment() {
  if (!options_.trusted_keys.empty()) {
    SLICE_ASSIGN_OR_RETURN(trusted_keys_,
                           VerifyingKeys::Load(options_.trusted_keys));
  }
  if (!options_.feed.empty()) {
    SLICE_ASSIGN_OR_RETURN(feed_,
                           ConnectToFeed(options_.feed, options_.feed_config));
    graphs_.SetFeed(feed_.get());
  }
  deployment_ = std::make_unique<ModelDeployment>(
      options_, &registry_,
      ModelSurroundings{
          .graphs = &graphs_,
          .trusted = trusted_keys_.has_value() ? &*trusted_keys_ : nullptr,
          .health = device_health_});
  return absl::OkStatus();
}

ListenerSecurity LinkPredictionServer::SecurityOf(
    const std::string& address) const {
  return {
      .certificates = IsUnixAddress(address) ? nullptr : certificates_.get(),
      .access = access_.get(),
      .local = IsLocalAddress(address)};
}

absl::Status LinkPredictionServer::StartPipeline() {
  if (!options_.record_schedule.empty()) {
    SLICE_ASSIGN_OR_RETURN(recorder_, ScheduleRecorder::Create(
                                          options_.record_schedule,
                                          ScheduleLimitsOf(options_), clock_));
  }
  pipeline_ = std::make_unique<LinkPipeline>(options_, &quotas_, metrics_.get(),
                                             clock_, recorder_.get());
  pipeline_->TryShadowsOf(&registry_);
  lookups_ = std::make_unique<TaskQueue>(kLookupQueue);
  changes_ = std::make_unique<TaskQueue>(kChangeQueue);
  recommendations_ = std::make_unique<TaskQueue>(
      TaskQueueOptions{.threads = options_.RecommendWorkerCount(),
                       .max_tasks = kMaxWaitingRecommendations,
                       .quantum = kRecommendQuantum,
                       .niceness = kRecommendNiceness});
  return absl::OkStatus();
}

void LinkPredictionServer::MakeServices() {
  core_ = {&registry_,
           lookups_.get(),
           recommendations_.get(),
           &pipeline_->answers(),
           metrics_.get(),
           clock_,
           options_.max_deadline,
           options_.client_key,
           SecurityOf(options_.listen),
           call_log_.get(),
           &quotas_,
           options_.accept_updates};
  services_.emplace(&core_, pipeline_.get());
  health_service_ = std::make_unique<HealthService>(
      std::vector<std::string>{v1::LinkPredictionService::service_full_name(),
                               v1::GraphService::service_full_name()},
      metrics_.get(), clock_);
  readiness_ =
      std::make_unique<Readiness>(health_service_.get(), metrics_.get());
}

absl::Status LinkPredictionServer::StartGrpc() {
  SLICE_ASSIGN_OR_RETURN(
      listener_,
      ConnectionListener::Bind(options_.listen, options_.ConnectionCount()));
  address_ = listener_->address();
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  acceptor_ = AddAcceptor(core_.security, builder);
  LimitTransport(options_, builder);
  InterceptCalls(std::make_unique<CallInterceptorFactory>(
                     clock_, metrics_.get(), &hostile_hosts_, &core_.security),
                 builder);
  builder.SetMaxReceiveMessageSize(kMaxTransportBytes);
  builder.SetMaxSendMessageSize(kMaxSendBytes);
  services_->RegisterIn(builder);
  builder.RegisterService(health_service_.get());
  builder.RegisterCallbackGenericService(&unknown_methods_);
  SLICE_ASSIGN_OR_RETURN(
      grpc_server_,
      StartAccepting(builder, acceptor_.get(), *listener_, &hostile_hosts_));
  return absl::OkStatus();
}

absl::Status LinkPredictionServer::StartAdmin() {
  if (options_.admin_listen.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(admin_listener_,
                         ConnectionListener::Bind(options_.admin_listen,
                                                  options_.ConnectionCount()));
  admin_address_ = admin_listener_->address();
  admin_core_ = core_;
  admin_core_.security = SecurityOf(options_.admin_listen);
  admin_service_ =
      std::make_unique<AdminService>(&admin_core_, pipeline_.get(), reloader_,
                                     deployment_.get(), changes_.get());
  grpc::ServerBuilder builder;
  admin_acceptor_ = AddAcceptor(admin_core_.security, builder);
  builder.RegisterService(admin_service_.get());
  builder.RegisterService(health_service_.get());
  SLICE_ASSIGN_OR_RETURN(admin_server_,
                         StartAccepting(builder, admin_acceptor_.get(),
                                        *admin_listener_, nullptr));
  return absl::OkStatus();
}

void LinkPredictionServer::AddMetrics() {
  AddPipelineMetrics(pipeline_.get(), metrics_.get());
  AddTaskMetrics(recommendations_.get(), lookups_.get(), metrics_.get());
  AddReloadMetrics(reloader_, metrics_.get());
  AddModelMetrics(&registry_, deployment_.get(), metrics_.get());
  AddGraphMetrics(&registry_, metrics_.get());
  if (feed_ != nullptr) AddFeedMetrics(&registry_, metrics_.get());
  AddAccessMetrics(access_.get(), metrics_.get());
  AddQuotaMetrics(&quotas_, metrics_.get());
  AddConnectionMetrics(listener_.get(), metrics_.get());
  AddTlsMetrics(certificates_.get(), metrics_.get());
  AddDeviceMetrics(device_health_.get(), options_.device, metrics_.get());
}

absl::Status LinkPredictionServer::StartHttp() {
  http_front_ = std::make_unique<HttpFront>(
      HttpFront::Parts{
          .server = grpc_server_.get(),
          .readiness = readiness_.get(),
          .metrics = metrics_.get(),
          .report =
              [this](const HttpCaller& caller, const std::string& name) {
                return core_.ReportFor(caller, name);
              },
          .grpc_address = address_,
          .client_key = options_.client_key},
      options_.ConnectionCount());
  SLICE_RETURN_IF_ERROR(http_front_->ListenForAll(
      options_.http_listen, SecurityOf(options_.http_listen)));
  return http_front_->ListenForMetrics(options_.metrics_listen,
                                       SecurityOf(options_.metrics_listen));
}

void LinkPredictionServer::CallOnDeviceLoss(std::function<void()> stop) {
  stop_on_device_loss_ = std::move(stop);
}

void LinkPredictionServer::OnDeviceLoss() {
  if (options_.on_device_loss == DeviceLossPolicy::kFallBackToCpu) {
    LogWarning("the CPU takes over from device %s", options_.device);
    return;
  }
  readiness_->Add(Obstacle::kDeviceLost);
  if (stop_on_device_loss_) stop_on_device_loss_();
}

absl::Status LinkPredictionServer::Load() {
  SLICE_RETURN_IF_ERROR(deployment_->Apply(configured_models_));
  BecomeReady();
  return absl::OkStatus();
}

void LinkPredictionServer::Serve(std::shared_ptr<const ServedModel> model) {
  registry_.Serve(std::move(model));
  BecomeReady();
}

void LinkPredictionServer::BecomeReady() {
  const auto served = model();
  metrics_->SetForward(served->scorer->path(), served->scorer->timings());
  if (feed_ != nullptr && lag_watch_ == nullptr) {
    lag_watch_ = std::make_unique<LagWatch>(
        &registry_, *ParseMaxLag(options_.max_lag), readiness_.get());
  }
  readiness_->Remove(Obstacle::kNoModel);
  if (device_health_->lost()) OnDeviceLoss();  // it was lost during the load
}

std::shared_ptr<const ServedModel> LinkPredictionServer::model() const {
  const auto found = registry_.Find("");
  return found.ok() ? *found : nullptr;
}

absl::Status LinkPredictionServer::Reconfigure(const ServerOptions& options) {
  SLICE_ASSIGN_OR_RETURN(AccessPolicy policy,
                         AccessPolicy::Create(options.access.identities,
                                              options.access.anonymous));
  SLICE_RETURN_IF_ERROR(call_log_->Reopen());
  // What an operator changed by AdminService stays until the configuration
  // changes.
  const ModelList models = options.Models();
  if (models != configured_models_) {
    SLICE_RETURN_IF_ERROR(deployment_->Apply(models));
    configured_models_ = models;
  }
  access_->Replace(std::move(policy));
  quotas_.SetLimits(options.quotas);
  pipeline_->SetLimits(options.max_queue_items, options.max_queue_bytes);
  SetLogLevel(options.log_level);
  return absl::OkStatus();
}

bool LinkPredictionServer::IsAlive(absl::Duration limit) const {
  return QueuesMove(*pipeline_, options_.max_deadline) &&
         AnswersItself(*grpc_server_, limit);
}

void LinkPredictionServer::EnterLameDuck() {
  readiness_->Add(Obstacle::kStopping);
  metrics_->SetDraining(true);
}

void LinkPredictionServer::Shutdown() {
  if (pipeline_ == nullptr) return;
  EnterLameDuck();
  lag_watch_.reset();
  const absl::Time deadline = clock_->Now() + options_.drain_timeout;
  const auto on_machine_clock = [this](absl::Time time) {
    return absl::ToChronoTime(absl::Now() + (time - clock_->Now()));
  };
  registry_.Close();
  pipeline_->StartDraining();
  services_->DrainStreams();
  health_service_->FinishWatches();
  if (grpc_server_ != nullptr) {
    // During its shutdown, gRPC ends newly arriving calls with CANCELLED. So
    // gRPC stays up until clients have had time to be refused with UNAVAILABLE
    // and to go away.
    if (!registry_.models()->models.empty()) WaitForQuiet(deadline);
    if (http_front_ != nullptr) http_front_->Stop(deadline - clock_->Now());
    listener_->Stop();
    // gRPC waits for a connection whose client reads nothing, for ever.
    const PeriodicTask end(options_.drain_timeout + kMaxQuietWait,
                           [this] { listener_->EndConnections(); });
    grpc_server_->Shutdown(on_machine_clock(deadline));
    grpc_server_->Wait();
  }
  if (admin_server_ != nullptr) {
    admin_listener_->Stop();
    admin_server_->Shutdown(on_machine_clock(deadline));
    admin_server_->Wait();
  }
  pipeline_->Close();
  if (recorder_ != nullptr) LogIfError(recorder_->Write());
  lookups_->Close();
  recommendations_->Close();
  changes_->Close();
  http_front_.reset();
  metrics_->ClearSampledMetrics();
  deployment_.reset();
  grpc_server_.reset();
  admin_server_.reset();
  pipeline_.reset();
  registry_.Replace({});
}

void LinkPredictionServer::WaitForQuiet(absl::Time deadline) const {
  const absl::Time end = std::min(deadline, clock_->Now() + kMaxQuietWait);
  uint64_t started = metrics_->rpcs_started();
  while (clock_->Now() < end) {
    std::this_thread::sleep_for(absl::ToChronoMilliseconds(kQuietTime));
    const uint64_t now_started = metrics_->rpcs_started();
    if (now_started == started) return;
    started = now_started;
  }
}

std::string LinkPredictionServer::http_address() const {
  return http_front_ == nullptr ? "" : http_front_->address();
}

std::string LinkPredictionServer::metrics_address() const {
  return http_front_ == nullptr ? "" : http_front_->metrics_address();
}

}  // namespace slice
