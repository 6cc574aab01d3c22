#include "server/grpc_status.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "google/rpc/error_details.pb.h"

namespace slice {
namespace {

std::string TypeUrl(const google::protobuf::Message& message) {
  return "type.googleapis.com/" + message.GetDescriptor()->full_name();
}

void SetDetail(const google::protobuf::Message& detail, absl::Status& status) {
  status.SetPayload(TypeUrl(detail), absl::Cord(detail.SerializeAsString()));
}

}  // namespace

google::rpc::Status ToRpcStatus(const absl::Status& status) {
  google::rpc::Status out;
  out.set_code(static_cast<int>(status.code()));
  out.set_message(std::string(status.message()));
  status.ForEachPayload(
      [&out](absl::string_view type_url, const absl::Cord& payload) {
        google::protobuf::Any* detail = out.add_details();
        detail->set_type_url(std::string(type_url));
        detail->set_value(std::string(payload));
      });
  return out;
}

grpc::Status ToGrpcStatus(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                      std::string(status.message()),
                      ToRpcStatus(status).SerializeAsString());
}

absl::Status InvalidField(std::string_view field, std::string_view problem) {
  const std::string field_text(field), problem_text(problem);
  absl::Status status =
      absl::InvalidArgumentError(absl::StrCat(field_text, ": ", problem_text));
  google::rpc::BadRequest detail;
  auto* violation = detail.add_field_violations();
  violation->set_field(field_text);
  violation->set_description(problem_text);
  SetDetail(detail, status);
  return status;
}

absl::Status WithRetryDelay(absl::Status status, absl::Duration delay) {
  google::rpc::RetryInfo detail;
  const int64_t micros = absl::ToInt64Microseconds(delay);
  detail.mutable_retry_delay()->set_seconds(micros / 1000000);
  detail.mutable_retry_delay()->set_nanos(
      static_cast<int32_t>(micros % 1000000 * 1000));
  SetDetail(detail, status);
  return status;
}

absl::Status WithQuotaFailure(absl::Status status, std::string_view subject,
                              std::string_view quota) {
  google::rpc::QuotaFailure detail;
  auto* violation = detail.add_violations();
  violation->set_subject(std::string(subject));
  violation->set_description(std::string(quota));
  SetDetail(detail, status);
  return status;
}

bool IsQuotaRefusal(const absl::Status& status) {
  return status.GetPayload(TypeUrl(google::rpc::QuotaFailure())).has_value();
}

bool IsQuotaRefusal(const grpc::Status& status) {
  if (status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED) return false;
  google::rpc::Status message;
  return message.ParseFromString(status.error_details()) &&
         std::any_of(message.details().begin(), message.details().end(),
                     [](const google::protobuf::Any& detail) {
                       return detail.Is<google::rpc::QuotaFailure>();
                     });
}

std::string_view GrpcCodeName(int code) {
  static constexpr std::string_view kNames[kGrpcCodeCount] = {
      "OK",
      "CANCELLED",
      "UNKNOWN",
      "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED",
      "NOT_FOUND",
      "ALREADY_EXISTS",
      "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED",
      "FAILED_PRECONDITION",
      "ABORTED",
      "OUT_OF_RANGE",
      "UNIMPLEMENTED",
      "INTERNAL",
      "UNAVAILABLE",
      "DATA_LOSS",
      "UNAUTHENTICATED"};
  return code >= 0 && code < kGrpcCodeCount ? kNames[code] : kNames[2];
}

}  // namespace slice
