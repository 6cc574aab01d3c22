// The whole server: it owns the listeners, the services and the pipeline, and
// starts and stops them in order.
//
//   Listen -> Load (or Serve) -> EnterLameDuck -> Shutdown
#ifndef SLICE_SERVER_LINK_PREDICTION_SERVER_H_
#define SLICE_SERVER_LINK_PREDICTION_SERVER_H_

#include <grpcpp/server.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock.h"
#include "model/device_health.h"
#include "server/access/access_control.h"
#include "server/config_reloader.h"
#include "server/feed/change_feed.h"
#include "server/http/http_front.h"
#include "server/lag_watch.h"
#include "server/models/model_deployment.h"
#include "server/models/model_registry.h"
#include "server/pipeline/link_pipeline.h"
#include "server/readiness.h"
#include "server/rpc/admin_service.h"
#include "server/rpc/health_service.h"
#include "server/rpc/public_services.h"
#include "server/rpc/service_core.h"
#include "server/scheduling/schedule_recorder.h"
#include "server/server_metrics.h"
#include "server/server_options.h"
#include "server/transport/accepting_server.h"
#include "server/transport/connection_listener.h"
#include "server/transport/tls_certificates.h"
#include "server/transport/unknown_methods.h"

namespace slice {

// Thread-compatible: call its methods from one thread, except Reconfigure.
class LinkPredictionServer {
 public:
  // Binds the addresses. Until a model is served, health checks then get
  // NOT_SERVING, and predictions UNAVAILABLE. Returns the errors of
  // ServerOptions::Validate and ConnectToFeed; UNAVAILABLE when an address
  // cannot be bound. `reloader`, for AdminService, may be null; it and `clock`
  // must outlive the server.
  static absl::StatusOr<std::unique_ptr<LinkPredictionServer>> Listen(
      const ServerOptions& options, const Clock* clock = Clock::Real(),
      ConfigReloader* reloader = nullptr);
  ~LinkPredictionServer();  // calls Shutdown
  // Has any thread call `stop` when the device is lost and the options say that
  // the process exits then. REQUIRES: called before Load.
  void CallOnDeviceLoss(std::function<void()> stop);

  // Serves the models of the options. The errors of ModelDeployment::Apply.
  absl::Status Load();

  // Serves `model` too, and answers health checks with SERVING.
  void Serve(std::shared_ptr<const ServedModel> model);

  // Takes over what can change in a running server (IsLiveSetting), identities
  // and models. Thread-safe, one call at a time. An error changes nothing.
  absl::Status Reconfigure(const ServerOptions& options);

  // Answers health checks with NOT_SERVING, but still serves.
  void EnterLameDuck();

  // Refuses new requests, answers the admitted ones within the drain timeout,
  // joins all threads and closes the store. Idempotent.
  void Shutdown();

  // With the ports that were bound; empty when the options name none.
  const std::string& address() const { return address_; }
  std::string http_address() const;
  std::string metrics_address() const;
  const std::string& admin_address() const { return admin_address_; }

  const ServerMetrics& metrics() const { return *metrics_; }
  const AccessControl& access() const { return *access_; }
  DeviceHealth& device_health() { return *device_health_; }
  // Whether it works (server/self_check.h). Thread-safe, but not in Shutdown.
  bool IsAlive(absl::Duration limit) const;
  // The default model; null before the first.
  std::shared_ptr<const ServedModel> model() const;

 private:
  LinkPredictionServer(const ServerOptions& options, const Clock* clock,
                       ConfigReloader* reloader);
  absl::Status StartSecurity();
  absl::Status StartDeployment();
  ListenerSecurity SecurityOf(const std::string& address) const;
  absl::Status StartPipeline();
  void MakeServices();
  absl::Status StartGrpc();
  absl::Status StartAdmin();
  void AddMetrics();
  absl::Status StartHttp();
  void OnDeviceLoss();
  void BecomeReady();
  // Waits until clients stop sending, but not beyond `deadline`.
  void WaitForQuiet(absl::Time deadline) const;

  const ServerOptions options_;
  const Clock* const clock_;
  ConfigReloader* const reloader_;  // may be null
  HostileHosts hostile_hosts_;

  // A member may use the members above it.
  const std::unique_ptr<ServerMetrics> metrics_;
  std::unique_ptr<TlsCertificates> certificates_;  // null: plaintext
  std::unique_ptr<CallLog> call_log_;
  std::unique_ptr<AccessControl> access_;
  Quotas quotas_;
  std::function<void()> stop_on_device_loss_;
  const std::shared_ptr<DeviceHealth> device_health_;
  std::unique_ptr<ChangeFeed> feed_;  // null: none
  ServedGraphs graphs_;
  std::optional<VerifyingKeys> trusted_keys_;
  ModelRegistry registry_;
  std::unique_ptr<ModelDeployment> deployment_;
  ModelList configured_models_;  // that Load or Reconfigure applied last
  std::unique_ptr<ScheduleRecorder> recorder_;  // null: no recording
  std::unique_ptr<LinkPipeline> pipeline_;
  std::unique_ptr<TaskQueue> lookups_;
  std::unique_ptr<TaskQueue> recommendations_;
  std::unique_ptr<TaskQueue> changes_;  // that an operator asked for
  ServiceCore core_;
  ServiceCore admin_core_;  // with the security of the admin listener
  std::optional<PublicServices> services_;
  std::unique_ptr<HealthService> health_service_;
  std::unique_ptr<Readiness> readiness_;
  std::unique_ptr<AdminService> admin_service_;
  UnknownMethods unknown_methods_;
  std::unique_ptr<ConnectionAcceptor> acceptor_, admin_acceptor_;
  std::unique_ptr<grpc::Server> grpc_server_, admin_server_;
  std::unique_ptr<ConnectionListener> listener_, admin_listener_;
  std::unique_ptr<HttpFront> http_front_;
  std::unique_ptr<LagWatch> lag_watch_;  // null: no feed
  std::string address_, admin_address_;
};

}  // namespace slice

#endif  // SLICE_SERVER_LINK_PREDICTION_SERVER_H_
