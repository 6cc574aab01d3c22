// The other end of a connection, as the kernel and as gRPC tell it.
#ifndef SLICE_SERVER_TRANSPORT_PEER_ADDRESS_H_
#define SLICE_SERVER_TRANSPORT_PEER_ADDRESS_H_

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slice {

// An address of the Internet. A value; those of IPv4 are held as IPv6 maps
// them, so that either way to write one is the same address.
class PeerAddress {
 public:
  // Of a connected socket; nullopt for a socket of another kind.
  static std::optional<PeerAddress> OfSocket(int descriptor);
  // As gRPC writes it: "ipv4:10.0.0.1:50432", "ipv6:%5B::1%5D:50432"; nullopt
  // for a peer of another kind.
  static std::optional<PeerAddress> Parse(std::string_view peer);

  bool operator==(const PeerAddress& other) const;

  // "10.0.0.1"; of IPv6 the network of 64 bits, within which one machine has
  // all addresses: "2001:db8::/64".
  std::string Host() const;

 private:
  PeerAddress(const in6_addr& address, uint16_t port)
      : address_(address), port_(port) {}

  in6_addr address_;
  uint16_t port_;
};

// "ipv4:10.0.0.1:50432" -> "10.0.0.1" (PeerAddress::Host): the connections of a
// host are one. Other peers, such as unix sockets, stay as they are.
std::string PeerHost(std::string_view peer);

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_PEER_ADDRESS_H_
