#include "server/client_identity.h"

#include "common/random.h"

namespace slice {

std::string_view PeerHost(std::string_view peer) {
  if (!peer.starts_with("ipv4:") && !peer.starts_with("ipv6:")) return peer;
  return peer.substr(0, peer.rfind(':'));
}

uint64_t ClientOf(const grpc::ServerContextBase& context,
                  const std::string& key) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(grpc::string_ref(key.data(), key.size()));
  if (!key.empty() && found != metadata.end()) {
    return HashBytes({found->second.data(), found->second.size()});
  }
  return HashBytes(PeerHost(context.peer()));
}

}  // namespace slice
