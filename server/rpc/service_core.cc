#include "server/rpc/service_core.h"

#include <algorithm>

#include "server/transport/client_identity.h"

namespace slice {

absl::Status ServiceCore::CheckRoomForAnswer(ClientId client) const {
  absl::Status room = answers->CheckRoom(client);
  if (!room.ok()) metrics->ItemsShed(ShedReason::kClientFull, 1);
  return room;
}

ClientId ServiceCore::ClientOf(const grpc::ServerContextBase& context) const {
  ClientId client = slice::ClientOf(context, client_key);
  const absl::StatusOr<Caller> caller =
      security.access->Identify(ShownBy(context, security));
  if (caller.ok() && caller->id != 0) client.host = caller->id;
  return client;
}

absl::Time ServiceCore::DeadlineOf(const grpc::ServerContextBase& context,
                                   absl::Time now) const {
  return now + std::min(TimeLeft(context), max_deadline);
}

absl::Status ServiceCore::CheckWanted(bool cancelled,
                                      absl::Time deadline) const {
  if (cancelled) return absl::CancelledError("the caller left");
  if (clock->Now() < deadline) return absl::OkStatus();
  return absl::DeadlineExceededError(
      "the deadline passed before a worker was free");
}

}  // namespace slice
