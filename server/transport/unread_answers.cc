#include "server/transport/unread_answers.h"

#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Seconds(1);

}  // namespace

absl::Status UnreadAnswers::CheckRoom(ClientId client) const {
  if (free_bytes_.load(std::memory_order_relaxed) < kFreeBytes / 2) {
    return absl::OkStatus();
  }
  const AdmissionResult result = admission_->Check(
      {.bytes = kCallBytes, .client = client}, absl::InfiniteDuration());
  if (result != AdmissionResult::kBytesFull &&
      result != AdmissionResult::kClientFull) {
    return absl::OkStatus();
  }
  return WithRetryDelay(
      absl::ResourceExhaustedError(
          "too many answers wait for their readers; read them, then ask again"),
      kRetryDelay);
}

}  // namespace slice
