// Helpers of the client's tests: options for the fake server, and toy answers.
#ifndef SLICE_TESTS_CLIENT_TEST_CLIENT_H_
#define SLICE_TESTS_CLIENT_TEST_CLIENT_H_

#include <memory>
#include <string>
#include <utility>

#include "client/link_client.h"
#include "client/proto_conversion.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_link_server.h"

namespace slice {

inline LinkClient::Options OptionsFor(const FakeLinkServer& server) {
  LinkClient::Options options;
  options.connection.server = server.address();
  options.sleep = [](absl::Duration) {};
  return options;
}

inline std::unique_ptr<LinkClient> Connected(LinkClient::Options options) {
  auto client = LinkClient::Create(std::move(options));
  EXPECT_TRUE(client.ok()) << client.status();
  return *std::move(client);
}

inline LinkQuery Query(std::string source, std::string relation,
                       std::string target) {
  return {{std::move(source)}, std::move(relation), {std::move(target)}};
}

// The toy link of the fake server with its explanation.
inline ScoredLink ToyScoredLink() {
  auto link = FromProto(ToyLinkResult());
  EXPECT_TRUE(link.ok()) << link.status();
  return *std::move(link);
}

// A toy link whose context is made of paths.
inline ScoredLink ToyPathLink() {
  auto link = FromProto(ToyPathResult());
  EXPECT_TRUE(link.ok()) << link.status();
  return *std::move(link);
}

}  // namespace slice

#endif  // SLICE_TESTS_CLIENT_TEST_CLIENT_H_
