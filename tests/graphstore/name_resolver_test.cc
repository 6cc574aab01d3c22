#include "graphstore/name_resolver.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "graphstore/graph_changes.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class NameResolverTest : public testing::Test {
 protected:
  NodeId Node(std::string_view key) const { return ToyNode(*graph_, key); }
  absl::StatusOr<NodeId> Resolve(std::string_view text,
                                 std::string_view type = {}) const {
    return ResolveKeyOrName(*graph_, text, type);
  }
  // The message of the NOT_FOUND that `text` must lead to.
  std::string Refusal(std::string_view text, std::string_view type = {}) const {
    const absl::Status status = Resolve(text, type).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    return std::string(status.message());
  }

  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
};

TEST_F(NameResolverTest, AKeyComesBeforeANameAndATypePrefix) {
  EXPECT_EQ(Resolve("openssl").value(), Node("openssl"));
  EXPECT_EQ(Resolve("openssl", "package").value(), Node("openssl"));
  EXPECT_EQ(Resolve("openssl:i386").value(), Node("openssl:i386"));
}

TEST_F(NameResolverTest, FindsNames) {
  EXPECT_EQ(Resolve("TLS library").value(), Node("libssl3"));
  EXPECT_EQ(Resolve("tls LIBRARY").value(), Node("libssl3"));
  EXPECT_EQ(Resolve("Web Team").value(), Node("web:team"));
  EXPECT_EQ(Resolve("Web Team", "team").value(), Node("web:team"));
}

TEST_F(NameResolverTest, AKnownTypeBeforeAColonNarrows) {
  EXPECT_EQ(Resolve("team:Web Team").value(), Node("web:team"));
  EXPECT_EQ(Resolve("package:openssl").value(), Node("openssl"));
  EXPECT_EQ(Resolve("tag:role::devel-lib").value(), Node("role::devel-lib"));
}

TEST_F(NameResolverTest, AmbiguousNameListsTheKeys) {
  const auto node = Resolve("OpenSSL");
  EXPECT_EQ(node.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(node.status().message(),
            "name 'OpenSSL' is ambiguous: 2 nodes have it; use one of the keys "
            "'openssl', 'openssl:i386'");
}

TEST_F(NameResolverTest, ManyKeysAreCounted) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  for (int i = 0; i < 9; ++i) {
    data.catalogue.nodes.push_back({absl::StrCat("k", i), "same", 0});
  }
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_THAT(std::string(ResolveKeyOrName(*graph, "same").status().message()),
              HasSubstr("9 nodes have it; use one of the keys 'k0', 'k1', "
                        "'k2', 'k3', 'k4' and 4 more"));
}

// Nodes of one name, and what it costs to ask for it.
class NamesakesTest : public testing::Test {
 protected:
  static constexpr int kNamesakes = 100'000;

  static std::shared_ptr<const GraphSnapshot> Graph(int namesakes) {
    GraphData data;
    data.catalogue.node_types = {"node", "other", "third"};
    for (int i = 0; i < namesakes; ++i)
      data.catalogue.nodes.push_back({absl::StrCat("k", i), "same", 0});
    data.catalogue.nodes.push_back({"odd", "Same", 1});
    return BuildSnapshotOrDie(data);
  }

  // How long the fastest of some questions takes.
  static absl::Duration Cost(const GraphSnapshot& graph, std::string_view text,
                             std::string_view type) {
    auto least = absl::InfiniteDuration();
    for (int i = 0; i < 50; ++i) {
      const absl::Time start = absl::Now();
      const auto node = ResolveKeyOrName(graph, text, type, 0);
      EXPECT_FALSE(absl::IsInternal(node.status()));  // it is not left out
      least = std::min(least, absl::Now() - start);
    }
    return least;
  }

  // The answer, which must cost little more than in a graph where a hundred
  // nodes share a name.
  absl::StatusOr<NodeId> Resolve(std::string_view text,
                                 std::string_view type = {}) const {
    static const absl::Duration usual = Cost(*Graph(100), "same", "");
    EXPECT_LT(Cost(*graph_, text, type), 10 * usual) << text << ", " << type;
    return ResolveKeyOrName(*graph_, text, type, 0);
  }
  std::string Refusal(std::string_view text, std::string_view type = {}) const {
    return std::string(Resolve(text, type).status().message());
  }

  std::shared_ptr<const GraphSnapshot> graph_ = Graph(kNamesakes);
};

TEST_F(NamesakesTest, AreNotAllLookedAt) {
  EXPECT_EQ(Refusal("same"),
            "name 'same' is ambiguous: 100000 nodes have it; use one of the "
            "keys 'k0', 'k1', 'k2', 'k3', 'k4' and 99995 more");
  EXPECT_EQ(Refusal("SAME", "node"),
            "name 'SAME' is ambiguous: 100000 nodes have it; use one of the "
            "keys 'k0', 'k1', 'k2', 'k3', 'k4' and 99995 more");
  EXPECT_THAT(Refusal("sAME"), HasSubstr("100001 nodes have it"));
  EXPECT_EQ(Resolve("Same").value(), kNamesakes);
  EXPECT_EQ(Resolve("same", "other").value(), kNamesakes);
  EXPECT_THAT(Refusal("same", "third"), HasSubstr("has the type"));
}

TEST_F(NamesakesTest, AreAboutAsManyWhenSomeHaveChanged) {
  graph_ = *graph_->Apply(
      {.set_nodes = {{70000, {"k70000", "another name", 0}}}}, 1);
  EXPECT_THAT(Refusal("same"), HasSubstr("about 100000 nodes have it"));
  EXPECT_EQ(Resolve("another name").value(), 70000);
}

TEST_F(NamesakesTest, AreNotLookedAtOnceTheyAreRemovedAndCompacted) {
  GraphChanges changes;
  for (NodeId node = 1; node < kNamesakes; ++node)
    changes.removed_nodes.push_back(node);
  graph_ = (*graph_->Apply(changes, 1))->Compacted();
  EXPECT_EQ(Resolve("same").value(), 0);
  EXPECT_EQ(graph_->names().FindRemovedKey("k7"), 7);
  EXPECT_THAT(graph_->names().FindPrefix("s", {}, 0, 10),
              testing::ElementsAre(0, kNamesakes));
  EXPECT_THAT(graph_->names().NearMisses("sme", 3), testing::SizeIs(2));
}

// They may be in a tier of their own, whose nodes came and went.
TEST_F(NamesakesTest, AreNotLookedAtOnceTheyAreRemovedFromATier) {
  GraphChanges changes;
  for (int i = 0; i < 2 * kNamesakes; ++i)
    changes.added_nodes.push_back({absl::StrCat("n", i), "new", 0});
  graph_ = *graph_->Apply(changes, 1);
  EXPECT_THAT(Refusal("new"), HasSubstr(": 200000 nodes have it"));
  changes = {};
  for (NodeId i = 1; i < 2 * kNamesakes; ++i)
    changes.removed_nodes.push_back(kNamesakes + 1 + i);
  graph_ = *graph_->Apply(changes, 2);
  EXPECT_EQ(Resolve("new").value(), kNamesakes + 1);
}

TEST_F(NameResolverTest, AnUnknownTypeNamesThoseThatThereAre) {
  EXPECT_EQ(Refusal("curl", "planet"),
            "no node type is called 'planet'; there is 'package', 'team', "
            "'tag'");
  EXPECT_EQ(Refusal("curl", "packge"),
            "no node type is called 'packge'; did you mean 'package'?");
}

TEST_F(NameResolverTest, ALongListOfAlternativesIsCut) {
  GraphData data;
  for (int i = 0; i < 14; ++i) {
    data.catalogue.node_types.push_back(absl::StrCat("t", i));
  }
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_THAT(
      std::string(ResolveNodeType(*graph, "planet").status().message()),
      HasSubstr("; there is 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', "
                "'t8', 't9' and 4 more"));
}

TEST_F(NameResolverTest, UnknownTextsNameNearMisses) {
  EXPECT_THAT(Refusal("libcrul4"),
              HasSubstr("no node has the key or name 'libcrul4'; did you mean "
                        "'libcurl4'"));
  EXPECT_EQ(Refusal("qqqqqqqqqq"), "no node has the key or name 'qqqqqqqqqq'");
  EXPECT_THAT(std::string(ResolveKey(*graph_, "libcrul4").status().message()),
              HasSubstr("no node has the key 'libcrul4'; did you mean "
                        "'libcurl4'"));
}

TEST_F(NameResolverTest, NearMissesHaveTheTypeAskedFor) {
  EXPECT_THAT(Refusal("libcrul4", "package"),
              HasSubstr("did you mean 'libcurl4'"));
  EXPECT_EQ(Refusal("libcrul4", "team"),
            "no node has the key or name 'libcrul4' and the type 'team'");
  EXPECT_EQ(Refusal("team:libcrul4"),
            "no node has the key or name 'libcrul4' and the type 'team'");
  EXPECT_EQ(ResolveKey(*graph_, "libcrul4", "team").status().message(),
            "no node has the key 'libcrul4'");
}

TEST_F(NameResolverTest, WithoutSuggestionsNothingIsSearchedFor) {
  EXPECT_EQ(ResolveKey(*graph_, "libcrul4", {}, 0).status().message(),
            "no node has the key 'libcrul4'");
  EXPECT_EQ(ResolveRelation(*graph_, "dependz", 0).status().message(),
            "no relation is called 'dependz'");
}

TEST_F(NameResolverTest, AKeyIsNoName) {
  EXPECT_EQ(ResolveKey(*graph_, "libssl3", "package").value(), Node("libssl3"));
  EXPECT_EQ(ResolveKey(*graph_, "TLS library").status().code(),
            absl::StatusCode::kNotFound);
  // What takes keys alone suggests keys alone.
  for (const char* text : {"TLS library", "TSL library"}) {
    const absl::Status unknown = ResolveKey(*graph_, text).status();
    EXPECT_THAT(std::string(unknown.message()),
                HasSubstr("did you mean 'libssl3'?"));
  }
}

// A suggestion would only repeat the text, so the message names the type.
TEST_F(NameResolverTest, ANodeOfAnotherTypeIsNamedWithIt) {
  for (const char* text : {"team:curl", "tag:curl"}) {
    EXPECT_THAT(Refusal(text),
                HasSubstr("node 'curl' has the type 'package', not 't"));
  }
  EXPECT_EQ(Refusal("tag:Web Team"),
            "node 'web:team' has the type 'team', not 'tag'");
  EXPECT_EQ(Refusal("Web Team", "tag"),
            "node 'web:team' has the type 'team', not 'tag'");
  EXPECT_EQ(ResolveKey(*graph_, "curl", "tag").status().message(),
            "node 'curl' has the type 'package', not 'tag'");
}

TEST_F(NameResolverTest, ResolvesRelations) {
  EXPECT_EQ(ResolveRelation(*graph_, "tagged").value(),
            ToyRelation(*graph_, "tagged"));
  EXPECT_EQ(ResolveRelation(*graph_, "taged").status().message(),
            "no relation is called 'taged'; did you mean 'tagged'?");
}

// A cut must not split a character of two bytes, and a text of the most bytes
// is not cut.
TEST_F(NameResolverTest, LongTextsAreCutInMessages) {
  for (const std::string start : {"", "x"}) {
    std::string text = start;
    for (int i = 0; i < 300; ++i) text += "\u00e9";
    const std::string message = Refusal(text);
    EXPECT_LT(message.size(), 400);
    EXPECT_THAT(message, HasSubstr("\u00e9...'"));
  }
  EXPECT_THAT(Refusal(std::string(120, 'q')),
              HasSubstr(absl::StrCat("'", std::string(120, 'q'), "'")));
}

}  // namespace
}  // namespace slice
