#include "server/graph/link_resolver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

v1::NodeRef ByKey(const std::string& key, const std::string& type = "") {
  v1::NodeRef reference;
  reference.set_key(key);
  reference.set_type(type);
  return reference;
}

v1::NodeRef ByName(const std::string& name, const std::string& type = "") {
  v1::NodeRef reference;
  reference.set_name(name);
  reference.set_type(type);
  return reference;
}

class LinkResolverTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();

  NodeId Id(const std::string& key) { return ToyNode(*graph_, key); }
  absl::Status Failure(const v1::NodeRef& reference) {
    return ResolveNode(*graph_, reference).status();
  }
};

TEST_F(LinkResolverTest, FindsKeysAndNames) {
  EXPECT_EQ(ResolveNode(*graph_, ByKey("libssl3")).value(), Id("libssl3"));
  EXPECT_EQ(ResolveNode(*graph_, ByName("TLS library")).value(), Id("libssl3"));
  EXPECT_EQ(ResolveNode(*graph_, ByName("package:curl")).value(), Id("curl"));
}

TEST_F(LinkResolverTest, AKeyComesBeforeANameSpelledAlike) {
  GraphData data = ToyGraph();
  data.catalogue.nodes[Id("lonely")].name = "curl";
  const auto graph = *GraphSnapshot::Build(data);
  EXPECT_EQ(ResolveNode(*graph, ByName("curl")).value(), Id("curl"));
}

TEST_F(LinkResolverTest, ANameMayBeAKey) {
  EXPECT_EQ(ResolveNode(*graph_, ByName("libssl3")).value(), Id("libssl3"));
  EXPECT_EQ(Failure(ByName("libssl3", "tag")).code(),
            absl::StatusCode::kNotFound);
}

// "type:" may precede a key, so every node can be named in this way.
TEST_F(LinkResolverTest, EveryKeyAndNameMayHaveItsTypeBefore) {
  for (NodeId node = 0; node < graph_->node_count(); ++node) {
    const std::string type = graph_->TypeName(graph_->Type(node));
    const auto found =
        ResolveNode(*graph_, ByName(type + ":" + graph_->Key(node)));
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, node);
  }
  const absl::Status status = Failure(ByName("team:libssl3"));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(std::string(status.message()),
            "node 'libssl3' has the type 'package', not 'team'");
}

TEST_F(LinkResolverTest, AnUnknownKeyNamesNearMisses) {
  const absl::Status status = Failure(ByKey("libcurl5"));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("libcurl5"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("libcurl4"));
}

TEST_F(LinkResolverTest, AnAmbiguousNameListsItsKeys) {
  const absl::Status status = Failure(ByName("OpenSSL"));
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("openssl:i386"));
}

TEST_F(LinkResolverTest, AKeyOfAnotherTypeIsNotFound) {
  EXPECT_TRUE(ResolveNode(*graph_, ByKey("curl", "package")).ok());
  const absl::Status status = Failure(ByKey("curl", "team"));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "node 'curl' has the type 'package', not 'team'");
}

TEST_F(LinkResolverTest, ALinkTellsWhichPartWasAtFault) {
  v1::LinkRef reference;
  *reference.mutable_source() = ByKey("curl");
  reference.set_relation("depends");
  *reference.mutable_target() = ByKey("libssl3");
  const ResolvedLink good = ResolveLink(*graph_, reference);
  EXPECT_TRUE(good.status.ok());
  EXPECT_EQ(good.link, ToyLink(*graph_, "curl", "depends", "libssl3"));

  v1::LinkRef bad = reference;
  bad.mutable_source()->set_key("nope");
  EXPECT_EQ(ResolveLink(*graph_, bad).fault, LinkPart::kSource);
  EXPECT_THAT(std::string(ResolveLink(*graph_, bad).status.message()),
              ::testing::StartsWith("source: "));
  bad = reference;
  bad.mutable_target()->set_key("nope");
  EXPECT_EQ(ResolveLink(*graph_, bad).fault, LinkPart::kTarget);
  bad = reference;
  bad.set_relation("nope");
  EXPECT_EQ(ResolveLink(*graph_, bad).fault, LinkPart::kRelation);
}

TEST_F(LinkResolverTest, FillsANodeForTheWire) {
  v1::Node node;
  FillNode(*graph_, Id("libssl3"), &node);
  EXPECT_EQ(node.key(), "libssl3");
  EXPECT_EQ(node.name(), "TLS library");
  EXPECT_EQ(node.type(), "package");
}

}  // namespace
}  // namespace slice
