#include "server/client_identity.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

TEST(ClientIdentityTest, TheConnectionsOfAHostAreOneClient) {
  EXPECT_EQ(PeerHost("ipv4:10.0.0.1:50432"), "10.0.0.1");
  EXPECT_EQ(PeerHost("ipv6:%5B::1%5D:50432"), "::/64");
  EXPECT_EQ(PeerHost("unix:/run/slice.sock"), "unix:/run/slice.sock");
  EXPECT_EQ(PeerHost(""), "");
}

}  // namespace
}  // namespace slice
