#include "trainer/learning/drawn_negatives.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

TEST(DrawnNegativesTest, EachPositiveGetsANonLinkWithOneOfItsEnds) {
  const auto graph =
      BuildSnapshotOrDie(RandomMultigraph({.nodes = 50, .links = 100}, 1));
  std::vector<LabelledLink> rows;
  for (NodeId i = 0; i < 20; ++i) rows.push_back({{i, 0, i + 20}, true});
  const std::vector<LabelledLink> before = rows;
  const auto added = AddDrawnNegatives(*graph, 1, rows);
  ASSERT_TRUE(added.ok()) << added.status();
  EXPECT_EQ(*added, before.size());
  ASSERT_EQ(rows.size(), 2 * before.size());
  std::set<Link> seen;
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(seen.insert(rows[i].link).second);
    EXPECT_EQ(rows[i].positive, i < before.size());
    if (i < before.size()) continue;
    const Link& from = before[i - before.size()].link;
    EXPECT_FALSE(graph->HasLink(rows[i].link));
    EXPECT_EQ(rows[i].link.relation, from.relation);
    EXPECT_TRUE(rows[i].link.source == from.source ||
                rows[i].link.target == from.target);
  }
  std::vector<LabelledLink> again = before;
  ASSERT_TRUE(AddDrawnNegatives(*graph, 1, again).ok());
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(again[i].link, rows[i].link);
  }
}

TEST(DrawnNegativesTest, AFileWithNonLinksStaysAsItIs) {
  const auto graph =
      BuildSnapshotOrDie(RandomMultigraph({.nodes = 50, .links = 100}, 1));
  std::vector<LabelledLink> rows = {{{1, 0, 2}, true}, {{3, 0, 4}, false}};
  EXPECT_EQ(*AddDrawnNegatives(*graph, 1, rows), 0u);
  EXPECT_EQ(rows.size(), 2u);
  rows.clear();
  EXPECT_EQ(*AddDrawnNegatives(*graph, 1, rows), 0u);
}

}  // namespace
}  // namespace slice
