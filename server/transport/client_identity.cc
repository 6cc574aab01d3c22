#include "server/transport/client_identity.h"

#include "absl/time/clock.h"
#include "common/random.h"
#include "server/transport/peer_address.h"
#include "server/transport/relayed_caller.h"

namespace slice {

absl::Duration TimeLeft(const grpc::ServerContextBase& context) {
  return absl::FromChrono(context.deadline()) - absl::Now();
}

ClientId ClientOf(const grpc::ServerContextBase& context,
                  const std::string& key) {
  ClientId client(HashBytes(PeerHost(CallerPeer(context))));
  if (key.empty()) return client;
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(grpc::string_ref(key.data(), key.size()));
  if (found != metadata.end()) {
    client.name = HashBytes({found->second.data(), found->second.size()});
  }
  return client;
}

}  // namespace slice
