#include "server/transport/peer_address.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace slice {
namespace {

in6_addr Mapped(const in_addr& v4) {
  in6_addr mapped = {};
  mapped.s6_addr[10] = mapped.s6_addr[11] = 0xff;
  std::memcpy(&mapped.s6_addr[12], &v4, sizeof(v4));
  return mapped;
}

}  // namespace

std::optional<PeerAddress> PeerAddress::OfSocket(int descriptor) {
  sockaddr_storage peer = {};
  socklen_t size = sizeof(peer);
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) {
    return std::nullopt;
  }
  if (peer.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(peer);
    return PeerAddress(Mapped(v4.sin_addr), ntohs(v4.sin_port));
  }
  if (peer.ss_family != AF_INET6) return std::nullopt;
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(peer);
  return PeerAddress(v6.sin6_addr, ntohs(v6.sin6_port));
}

std::optional<PeerAddress> PeerAddress::Parse(std::string_view peer) {
  const size_t colon = peer.rfind(':');
  uint32_t port = 0;
  if (colon == std::string_view::npos || colon < 5 ||
      !absl::SimpleAtoi(std::string(peer.substr(colon + 1)), &port) ||
      port > 65535) {
    return std::nullopt;
  }
  std::string host(peer.substr(5, colon - 5));
  if (peer.starts_with("ipv4:")) {
    in_addr v4 = {};
    if (inet_pton(AF_INET, host.c_str(), &v4) != 1) return std::nullopt;
    return PeerAddress(Mapped(v4), static_cast<uint16_t>(port));
  }
  if (!peer.starts_with("ipv6:")) return std::nullopt;
  host = absl::StrReplaceAll(host,
                             {{"%5B", ""}, {"%5D", ""}, {"[", ""}, {"]", ""}});
  host = host.substr(0, host.find('%'));  // the interface
  in6_addr v6 = {};
  if (inet_pton(AF_INET6, host.c_str(), &v6) != 1) return std::nullopt;
  return PeerAddress(v6, static_cast<uint16_t>(port));
}

bool PeerAddress::operator==(const PeerAddress& other) const {
  return port_ == other.port_ &&
         std::memcmp(&address_, &other.address_, sizeof(address_)) == 0;
}

std::string PeerAddress::Host() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (IN6_IS_ADDR_V4MAPPED(&address_)) {
    inet_ntop(AF_INET, &address_.s6_addr[12], text, sizeof(text));
    return text;
  }
  in6_addr network = address_;
  std::fill(network.s6_addr + 8, network.s6_addr + 16, 0);
  inet_ntop(AF_INET6, &network, text, sizeof(text));
  return absl::StrCat(text, "/64");
}

std::string PeerHost(std::string_view peer) {
  const auto address = PeerAddress::Parse(peer);
  return address.has_value() ? address->Host() : std::string(peer);
}

}  // namespace slice
