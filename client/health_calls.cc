#include "client/health_calls.h"

#include "client/proto_conversion.h"
#include "common/status_macros.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"

namespace slice {
namespace {

using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

HealthCheckRequest RequestFor(const std::string& service) {
  HealthCheckRequest request;
  request.set_service(service);
  return request;
}

ServingState StateOf(const HealthCheckResponse& reply) {
  switch (reply.status()) {
    case HealthCheckResponse::SERVING:
      return ServingState::kServing;
    case HealthCheckResponse::NOT_SERVING:
      return ServingState::kNotServing;
    case HealthCheckResponse::SERVICE_UNKNOWN:
      return ServingState::kServiceUnknown;
    default:
      return ServingState::kUnknown;
  }
}

}  // namespace

absl::StatusOr<ServingState> GetHealth(
    const std::shared_ptr<grpc::Channel>& channel,
    const ConnectionOptions& options, const std::string& service,
    absl::Time deadline) {
  grpc::ClientContext context;
  PrepareCall(options, deadline, &context);
  HealthCheckResponse reply;
  SLICE_RETURN_IF_ERROR(FromGrpcStatus(
      Health::NewStub(channel)->Check(&context, RequestFor(service), &reply)));
  return StateOf(reply);
}

absl::Status FollowHealth(const std::shared_ptr<grpc::Channel>& channel,
                          const ConnectionOptions& options,
                          const std::string& service, absl::Time deadline,
                          const std::function<bool(ServingState)>& changed) {
  grpc::ClientContext context;
  PrepareCall(options, deadline, &context);
  const auto stub = Health::NewStub(channel);
  const auto stream = stub->Watch(&context, RequestFor(service));
  HealthCheckResponse reply;
  bool wanted = true;
  while (wanted && stream->Read(&reply)) wanted = changed(StateOf(reply));
  if (!wanted) context.TryCancel();
  const absl::Status status = FromGrpcStatus(stream->Finish());
  return wanted ? status : absl::OkStatus();
}

}  // namespace slice
