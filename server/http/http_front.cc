#include "server/http/http_front.h"

#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "server/http/server_pages.h"
#include "server/limits.h"
#include "slice/v1/graph.grpc.pb.h"
#include "slice/v1/graph_update.grpc.pb.h"
#include "slice/v1/link_prediction.grpc.pb.h"

namespace slice {

absl::Status HttpFront::ListenForAll(const std::string& address,
                                     const ListenerSecurity& security) {
  if (address.empty()) return absl::OkStatus();
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxSendBytes);
  api_ = std::make_unique<JsonApi>(parts_.server->InProcessChannel(arguments),
                                   security, parts_.client_key);
  const std::vector<std::string> services = {
      v1::LinkPredictionService::service_full_name(),
      v1::GraphService::service_full_name(),
      v1::GraphUpdateService::service_full_name()};
  std::vector<HttpEndpoint> endpoints = api_->Endpoints(services);
  endpoints.push_back(OpenApiEndpoint(services));
  std::ranges::move(HealthEndpoints(parts_.readiness),
                    std::back_inserter(endpoints));
  endpoints.push_back(MetricsEndpoint(security, parts_.metrics));
  std::ranges::move(PageEndpoints(parts_.grpc_address),
                    std::back_inserter(endpoints));
  endpoints.push_back(ReportEndpoint(security, parts_.report));
  SLICE_ASSIGN_OR_RETURN(
      listener_, HttpListener::Listen(address, security, max_connections_,
                                      std::move(endpoints)));
  return absl::OkStatus();
}

absl::Status HttpFront::ListenForMetrics(const std::string& address,
                                         const ListenerSecurity& security) {
  if (address.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(
      metrics_listener_,
      HttpListener::Listen(address, security, max_connections_,
                           {MetricsEndpoint(security, parts_.metrics)}));
  return absl::OkStatus();
}

void HttpFront::Stop(absl::Duration limit) {
  if (listener_ != nullptr) listener_->Stop(limit);
}

std::string HttpFront::address() const {
  return listener_ == nullptr ? "" : listener_->address();
}

std::string HttpFront::metrics_address() const {
  return metrics_listener_ == nullptr ? "" : metrics_listener_->address();
}

}  // namespace slice
