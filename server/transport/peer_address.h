// The address of the other end of a connection, read from the kernel or from
// the text that gRPC makes of it.
#ifndef SLICE_SERVER_TRANSPORT_PEER_ADDRESS_H_
#define SLICE_SERVER_TRANSPORT_PEER_ADDRESS_H_

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slice {

// An Internet address with a port. A value. IPv4 addresses are held as
// IPv4-mapped IPv6 addresses, so that both forms compare equal.
class PeerAddress {
 public:
  // The peer of a connected socket; nullopt for a socket of another kind.
  static std::optional<PeerAddress> OfSocket(int descriptor);
  // Reads a peer as gRPC writes it: "ipv4:10.0.0.1:50432",
  // "ipv6:%5B::1%5D:50432". nullopt for a peer of another kind.
  static std::optional<PeerAddress> Parse(std::string_view peer);

  bool operator==(const PeerAddress& other) const;

  // The host as the server counts hosts: "10.0.0.1", or the IPv6 network of 64
  // bits, "2001:db8::/64", because one machine can use all addresses of it.
  std::string Host() const;

 private:
  PeerAddress(const in6_addr& address, uint16_t port)
      : address_(address), port_(port) {}

  in6_addr address_;
  uint16_t port_;
};

// The host of a peer (PeerAddress::Host): "ipv4:10.0.0.1:50432" -> "10.0.0.1".
// Returns other peers, such as Unix sockets, unchanged.
std::string PeerHost(std::string_view peer);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_PEER_ADDRESS_H_
