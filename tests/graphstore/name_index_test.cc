#include "graphstore/name_index.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/near_miss.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class NameIndexTest : public testing::Test {
 protected:
  NodeId Node(std::string_view key) const { return ToyNode(*graph_, key); }
  const NodeNames& names() const { return graph_->names(); }

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
    const NameIndex index(data.catalogue.nodes);
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(index.FindKey(absl::StrCat("key", i)), NodeId(i)) << count;
    ASSERT_EQ(index.FindKey(absl::StrCat("key", count)), std::nullopt);
    data.catalogue.nodes.push_back({absl::StrCat("key", count), "name", 0});
  }
}

TEST_F(NameIndexTest, FindsNamesInAnyCase) {
  EXPECT_THAT(names().FindName("TLS library").nodes,
              ElementsAre(Node("libssl3")));
  EXPECT_THAT(names().FindName("tls LIBRARY").nodes,
              ElementsAre(Node("libssl3")));
  EXPECT_THAT(names().FindName("TLS").nodes, IsEmpty());
}

TEST_F(NameIndexTest, TheRightCaseBeatsTheOthers) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.nodes = {{"1", "Apple", 0}, {"2", "apple", 0}};
  const auto graph = BuildSnapshotOrDie(data);
  EXPECT_THAT(graph->names().FindName("apple").nodes, ElementsAre(1));
  EXPECT_THAT(graph->names().FindName("APPLE").nodes, ElementsAre(0, 1));
}

TEST_F(NameIndexTest, ATypeNarrows) {
  const NodeTypeId team = graph_->Type(Node("web:team"));
  EXPECT_THAT(names().FindName("Web Team", team).nodes,
              ElementsAre(Node("web:team")));
  EXPECT_THAT(names().FindName("TLS library", team).nodes, IsEmpty());
}

TEST_F(NameIndexTest, FindsThoseWhoAreMeantAmongNamesakes) {
  const std::vector<NodeRecord> nodes = {
      {"0", "same", 1},  {"1", "Same", 0}, {"2", "SAME", 1}, {"3", "same", 1},
      {"4", "samer", 0}, {"5", "same", 0}, {"6", "same", 1}, {"7", "", 2}};
  const NameIndex index(
      nodes, {false, false, false, false, false, false, true, false});
  const auto rows = [&](const WantedName& wanted) {
    std::vector<uint32_t> found;
    index.ForEachNamed(wanted, [&](std::span<const uint32_t> part) {
      found.insert(found.end(), part.begin(), part.end());
    });
    return found;
  };
  EXPECT_THAT(rows({"same"}), ElementsAre(1, 5, 2, 0, 3));
  EXPECT_THAT(rows({"same", 1}), ElementsAre(2, 0, 3));
  EXPECT_THAT(rows({"same", 2}), IsEmpty());
  EXPECT_THAT(rows({"same", std::nullopt, "same"}), ElementsAre(5, 0, 3));
  EXPECT_THAT(rows({"same", 0, "Same"}), ElementsAre(1));
  EXPECT_THAT(rows({"same", 0, "SAME"}), IsEmpty());
  EXPECT_THAT(rows({"sam"}), IsEmpty());
  EXPECT_THAT(rows({""}), ElementsAre(7));
  EXPECT_EQ(index.FindKey("6"), 6);  // removed
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
  const NodeNames index(
      std::make_shared<NodeBlock>(NodeBlock{catalogue.nodes, {}}));
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
      names().FindPrefix("LIB", {}, 0, 10),
      ElementsAre(Node("libcurl4"), Node("libcurl4-dev"), Node("libssl-dev")));
  EXPECT_THAT(names().FindPrefix("lib", {}, 1, 1),
              ElementsAre(Node("libcurl4-dev")));
  EXPECT_THAT(
      names().FindPrefix("w", graph_->Type(Node("role::devel-lib")), 0, 10),
      ElementsAre(Node("web::browser")));
  EXPECT_THAT(names().FindPrefix("lib", {}, 3, 10), IsEmpty());
  EXPECT_THAT(names().FindPrefix("", {}, 0, 100), SizeIs(13));
}

// Pages of any size, put together, are the sorted list.
TEST_F(NameIndexTest, PagesCoverEverythingOnce) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.nodes = 50}, 3));
  const auto all = graph->names().FindPrefix("node 1", {}, 0, 100);
  EXPECT_THAT(all, SizeIs(22));  // "Node 1" and "Node 10" to "Node 19", twice
  for (size_t page = 1; page < 6; ++page) {
    std::vector<NodeId> joined;
    for (size_t offset = 0; offset < all.size(); offset += page) {
      const auto part = graph->names().FindPrefix("node 1", {}, offset, page);
      joined.insert(joined.end(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, all);
  }
}

}  // namespace
}  // namespace slice
