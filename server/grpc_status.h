// Converts an absl::Status to the types in which it goes over the wire. No
// other file does so.
//
// Error details (google.rpc.RetryInfo, QuotaFailure, BadRequest) travel as
// payloads of the absl::Status, keyed by their type URL, until they are
// converted.
#ifndef SLICE_SERVER_GRPC_STATUS_H_
#define SLICE_SERVER_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "google/rpc/status.pb.h"

namespace slice {

// The status of an RPC. An error carries a google.rpc.Status with the payloads
// as details (the trailer grpc-status-details-bin).
grpc::Status ToGrpcStatus(const absl::Status& status);

// The same as a message, for the status of one link of a reply.
google::rpc::Status ToRpcStatus(const absl::Status& status);

// Returns INVALID_ARGUMENT with the message "<field>: <problem>" and a
// BadRequest that names the field.
absl::Status InvalidField(std::string_view field, std::string_view problem);

// Returns `status` with a RetryInfo, which asks the caller to try again after
// `delay`.
absl::Status WithRetryDelay(absl::Status status, absl::Duration delay);

// Returns `status` with a QuotaFailure, which says whose quota is used up and
// what the quota is.
absl::Status WithQuotaFailure(absl::Status status, std::string_view subject,
                              std::string_view quota);

// Whether a status carries a QuotaFailure.
bool IsQuotaRefusal(const absl::Status& status);
bool IsQuotaRefusal(const grpc::Status& status);

// The name of a gRPC status code for the labels of metrics, such as
// "NOT_FOUND". Returns "UNKNOWN" for a code that gRPC does not have.
std::string_view GrpcCodeName(int code);
inline constexpr int kGrpcCodeCount = 17;

}  // namespace slice

#endif  // SLICE_SERVER_GRPC_STATUS_H_
