#include "server/transport/peer_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

std::string HostOf(std::string_view peer) {
  const auto address = PeerAddress::Parse(peer);
  return address.has_value() ? address->Host() : "none";
}

TEST(PeerAddressTest, AHostIsAnAddressOrANetwork) {
  EXPECT_EQ(HostOf("ipv4:10.0.0.1:50432"), "10.0.0.1");
  EXPECT_EQ(HostOf("ipv6:%5B2001:db8::1:2:3:4%5D:50432"), "2001:db8::/64");
  EXPECT_EQ(HostOf("ipv6:[2001:db8::1:2:3:4]:1"), "2001:db8::/64");
  EXPECT_EQ(HostOf("ipv6:%5Bfe80::1%25eth0%5D:1"), "fe80::/64");
  EXPECT_EQ(HostOf("ipv6:%5B::ffff:10.0.0.1%5D:1"), "10.0.0.1");
}

TEST(PeerAddressTest, WhatIsNoneIsNone) {
  for (const char* peer :
       {"", "unix:/run/slice.sock", "ipv4:", "ipv4:10.0.0.1", "ipv4:1.2.3:4",
        "ipv4:10.0.0.1:99999", "ipv6:x:1", "ipv4:10.0.0.1:", "inproc", ":1"}) {
    EXPECT_EQ(HostOf(peer), "none") << peer;
  }
}

TEST(PeerAddressTest, PortsTellTheConnectionsOfAHostApart) {
  EXPECT_EQ(PeerAddress::Parse("ipv4:10.0.0.1:1"),
            PeerAddress::Parse("ipv6:[::ffff:10.0.0.1]:1"));
  EXPECT_FALSE(PeerAddress::Parse("ipv4:10.0.0.1:1") ==
               PeerAddress::Parse("ipv4:10.0.0.1:2"));
}

TEST(PeerAddressTest, OfASocketIsThatOfItsOtherEnd) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(listener, raw, size), 0);
  EXPECT_FALSE(PeerAddress::OfSocket(listener).has_value());
  listen(listener, 1);
  getsockname(listener, raw, &size);
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(connect(client, raw, size), 0);
  EXPECT_EQ(PeerAddress::OfSocket(client),
            PeerAddress::Parse(
                absl::StrCat("ipv4:127.0.0.1:", ntohs(address.sin_port))));
  close(client);
  close(listener);
  const int local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_FALSE(PeerAddress::OfSocket(local).has_value());
  close(local);
}

TEST(PeerHostTest, TheConnectionsOfAHostAreOneClient) {
  EXPECT_EQ(PeerHost("ipv4:10.0.0.1:50432"), "10.0.0.1");
  EXPECT_EQ(PeerHost("ipv6:%5B::1%5D:50432"), "::/64");
  EXPECT_EQ(PeerHost("unix:/run/slice.sock"), "unix:/run/slice.sock");
  EXPECT_EQ(PeerHost(""), "");
}

}  // namespace
}  // namespace slice
