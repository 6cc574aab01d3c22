#include "graphstore/name_index.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "graphstore/near_miss.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class NameIndexTest : public testing::Test {
 protected:
  NodeId Node(std::string_view key) const { return ToyNode(*graph_, key); }
  const NameIndex& names() const { return graph_->names(); }

  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
};

TEST_F(NameIndexTest, FindsEveryKey) {
  for (NodeId node = 0; node < graph_->node_count(); ++node)
    EXPECT_EQ(names().FindKey(graph_->Key(node)), node);
  EXPECT_EQ(names().FindKey("Curl"), std::nullopt);
  EXPECT_EQ(names().FindKey(""), std::nullopt);
}

TEST_F(NameIndexTest, FindsTheKeysOfGraphsOfAnySize) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  for (size_t count = 0; count < 300; ++count) {
    const NameIndex index(&data.catalogue);
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(index.FindKey(absl::StrCat("key", i)), NodeId(i)) << count;
    ASSERT_EQ(index.FindKey(absl::StrCat("key", count)), std::nullopt);
    data.catalogue.nodes.push_back({absl::StrCat("key", count), "name", 0});
  }
}

TEST_F(NameIndexTest, FindsNamesInAnyCase) {
  EXPECT_EQ(names().FindName("TLS library").value(), Node("libssl3"));
  EXPECT_EQ(names().FindName("tls LIBRARY").value(), Node("libssl3"));
}

TEST_F(NameIndexTest, AmbiguousNameListsTheKeys) {
  const auto node = names().FindName("OpenSSL");
  EXPECT_EQ(node.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(node.status().message(),
            "name \"OpenSSL\" is ambiguous: 2 nodes have it; use one of the "
            "keys openssl, openssl:i386");
}

TEST_F(NameIndexTest, ManyKeysAreCounted) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  for (int i = 0; i < 9; ++i)
    data.catalogue.nodes.push_back({absl::StrCat("k", i), "same", 0});
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_THAT(std::string(graph->names().FindName("same").status().message()),
              HasSubstr("9 nodes have it; use one of the keys k0, k1, k2, k3, "
                        "k4 and 4 more"));
}

TEST_F(NameIndexTest, TheRightCaseBeatsTheOthers) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.nodes = {{"1", "Apple", 0}, {"2", "apple", 0}};
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_EQ(graph->names().FindName("apple").value(), 1);
  EXPECT_EQ(graph->names().FindName("APPLE").status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(NameIndexTest, TypeNarrows) {
  EXPECT_EQ(names().FindName("Web Team", "team").value(), Node("web:team"));
  EXPECT_EQ(names().FindName("Web Team", "tag").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(NameIndexTest, KnownTypeBeforeAColonNarrows) {
  EXPECT_EQ(names().FindName("team:Web Team").value(), Node("web:team"));
  EXPECT_EQ(names().FindName("tag:role::devel-lib").value(),
            Node("role::devel-lib"));
  EXPECT_EQ(names().FindName("tag:Web Team").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(NameIndexTest, UnknownTypeIsNotFound) {
  const auto node = names().Resolve("curl", "planet");
  EXPECT_EQ(node.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(node.status().message(),
            "no node type is called \"planet\"; there is package, team, tag");
}

TEST_F(NameIndexTest, ResolvePrefersTheKey) {
  EXPECT_EQ(names().Resolve("openssl").value(), Node("openssl"));
  EXPECT_EQ(names().Resolve("package:openssl").value(), Node("openssl"));
  EXPECT_EQ(names().Resolve("openssl", "package").value(), Node("openssl"));
  EXPECT_EQ(names().Resolve("openssl:i386").value(), Node("openssl:i386"));
  EXPECT_EQ(names().Resolve("Web Team").value(), Node("web:team"));
  EXPECT_EQ(names().Resolve("openssl", "tag").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(NameIndexTest, UnknownNameSuggestsNearOnes) {
  const auto node = names().Resolve("libcrul4");
  EXPECT_EQ(node.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(node.status().message()),
              HasSubstr("no node has the key or name \"libcrul4\"; did you "
                        "mean \"libcurl4\""));
}

// A suggestion would only repeat the text, so the message names the type.
TEST_F(NameIndexTest, ANodeOfAnotherTypeIsNamedWithIt) {
  for (const char* text : {"team:curl", "tag:curl"}) {
    const absl::Status status = names().Resolve(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("node \"curl\" has the type \"package\", not \"t"));
  }
  EXPECT_EQ(names().Resolve("tag:Web Team").status().message(),
            "node \"web:team\" has the type \"team\", not \"tag\"");
}

TEST_F(NameIndexTest, NothingNearSuggestsNothing) {
  EXPECT_EQ(names().Resolve("qqqqqqqqqq").status().message(),
            "no node has the key or name \"qqqqqqqqqq\"");
}

TEST_F(NameIndexTest, NearMissesLookAtKeysToo) {
  EXPECT_THAT(names().NearMisses("libssl4", 1), ElementsAre("libssl3"));
}

TEST_F(NameIndexTest, NearMissesKeepToTheLimit) {
  EXPECT_THAT(names().NearMisses("lib", 2), SizeIs(2));
  EXPECT_THAT(names().NearMisses("lib", 0), IsEmpty());
}

// What a search through all names finds.
std::vector<std::string> PlainNearMisses(const GraphCatalogue& catalogue,
                                         const std::string& text) {
  NearMissSearch search(text, 3);
  for (const NodeRecord& node : catalogue.nodes) {
    search.Offer(node.name, node.name);
    search.Offer(node.key, node.key);
  }
  return search.Best();
}

// A word of the letters a to h. Such names have much in common.
std::string Word(Random& random, uint32_t length) {
  std::string word;
  for (uint32_t i = 0; i < length; ++i) word += "abcdefgh-"[random.Below(9)];
  return word;
}

std::string WithTypos(std::string text, int typos, Random& random) {
  for (int i = 0; i < typos; ++i) {
    const size_t at = random.Below(static_cast<uint32_t>(text.size()) - 1);
    switch (random.Below(4)) {
      case 0:
        text.insert(at, 1, 'x');
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        text[at] = 'y';
        break;
      default:
        std::swap(text[at], text[at + 1]);
    }
  }
  return text;
}

TEST(NameIndexPropertyTest, NearMissesAreThoseFoundByLookingAtAll) {
  Random random(11);
  GraphCatalogue catalogue;
  catalogue.node_types = {"node"};
  for (int i = 0; i < 3000; ++i) {
    catalogue.nodes.push_back(
        {absl::StrCat("k", i), Word(random, 3 + random.Below(18)), 0});
  }
  const NameIndex index(&catalogue);
  int asked = 0, same = 0, same_first = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string& name = catalogue.nodes[random.Below(3000)].name;
    if (name.size() < 5) continue;
    const int typos = 1 + static_cast<int>(random.Below(3));
    const std::string text = WithTypos(name, typos, random);
    const auto expected = PlainNearMisses(catalogue, text);
    const auto found = index.NearMisses(text);
    ++asked;
    same += found == expected;
    same_first += expected.empty() ||
                  (!found.empty() && NearMissCost(text, found[0]) ==
                                         NearMissCost(text, expected[0]));
  }
  EXPECT_GT(asked, 1000);
  EXPECT_GT(same_first, asked * 99 / 100);
  EXPECT_GT(same, asked * 9 / 10);
}

TEST_F(NameIndexTest, PrefixListsInOrderOfNames) {
  EXPECT_THAT(
      names().FindPrefix("LIB", "", 0, 10),
      ElementsAre(Node("libcurl4"), Node("libcurl4-dev"), Node("libssl-dev")));
  EXPECT_THAT(names().FindPrefix("lib", "", 1, 1),
              ElementsAre(Node("libcurl4-dev")));
  EXPECT_THAT(names().FindPrefix("w", "tag", 0, 10),
              ElementsAre(Node("web::browser")));
  EXPECT_THAT(names().FindPrefix("lib", "", 3, 10), IsEmpty());
  EXPECT_THAT(names().FindPrefix("", "", 0, 100), SizeIs(13));
  EXPECT_THAT(names().FindPrefix("", "planet", 0, 100), IsEmpty());
}

// Pages of any size, put together, are the sorted list.
TEST_F(NameIndexTest, PagesCoverEverythingOnce) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.nodes = 50}, 3));
  const auto all = graph->names().FindPrefix("node 1", "", 0, 100);
  EXPECT_THAT(all, SizeIs(22));  // "Node 1" and "Node 10" to "Node 19", twice
  for (size_t page = 1; page < 6; ++page) {
    std::vector<NodeId> joined;
    for (size_t offset = 0; offset < all.size(); offset += page) {
      const auto part = graph->names().FindPrefix("node 1", "", offset, page);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, all);
  }
}

TEST(NearestStringsTest, RanksByEditsThenPrefixThenContent) {
  const std::vector<std::string> relations = {"depends", "pre-depends",
                                              "recommends", "suggests"};
  EXPECT_THAT(NearestStrings("depend", relations),
              ElementsAre("depends", "pre-depends"));
  EXPECT_THAT(NearestStrings("sugests", relations), ElementsAre("suggests"));
  EXPECT_THAT(NearestStrings("zzz", relations), IsEmpty());
}

}  // namespace
}  // namespace slice
