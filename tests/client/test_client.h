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

// What a run of the client left: its exit status and what it wrote to standard
// output and to standard error.
struct Outcome {
  int status = 0;
  std::string results;
  std::string messages;
};

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

// Checks the request for the 2 packages that curl is tagged with as a target,
// existing links included.
inline void ExpectTwoPackagesOfCurl(const v1::RecommendLinksRequest& request) {
  EXPECT_EQ(request.target().key(), "curl");
  EXPECT_EQ(request.relation(), "tagged");
  EXPECT_EQ(request.k(), 2);
  EXPECT_EQ(request.type(), "package");
  EXPECT_TRUE(request.include_existing());
}

// The toy link of the fake server with its explanation.
inline ScoredLink ToyScoredLink() {
  auto link = FromProto(ToyLinkResult());
  EXPECT_TRUE(link.ok()) << link.status();
  return *std::move(link);
}

// The toy link with two contexts: the one of ToyScoredLink, and one in which
// both ends attend more to wget.
inline ScoredLink ToyContextsLink() {
  ScoredLink link = ToyScoredLink();
  LinkExplanation& explanation = *link.explanation;
  ExplainedContext first;
  first.tokens = explanation.tokens;
  first.edges = explanation.edges;
  first.attention = explanation.attention;
  first.logit = 4.58f;
  first.probability = 0.99f;
  ExplainedContext second = first;
  second.tokens[3].attention_from_source = 0.75f;
  second.logit = 2.58f;
  second.probability = 0.93f;
  explanation.contexts = {first, second};
  explanation.context_pooling = "mean";
  return link;
}

// A toy link whose context is made of paths.
inline ScoredLink ToyPathLink() {
  auto link = FromProto(ToyPathResult());
  EXPECT_TRUE(link.ok()) << link.status();
  return *std::move(link);
}

}  // namespace slice

#endif  // SLICE_TESTS_CLIENT_TEST_CLIENT_H_
