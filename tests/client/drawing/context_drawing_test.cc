#include "client/drawing/context_drawing.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"

namespace slice {
namespace {

using LinkSet = std::multiset<std::tuple<size_t, size_t, std::string>>;

LinkExplanation RandomExplanation(uint64_t seed) {
  Random random(seed);
  LinkExplanation explanation;
  const uint32_t nodes = 2 + random.Below(7);
  explanation.tokens.resize(nodes);
  for (uint32_t i = 0; i < nodes; ++i) {
    explanation.tokens[i].role = i == 0   ? ExplainedRole::kSource
                                 : i == 1 ? ExplainedRole::kTarget
                                          : ExplainedRole::kBetween;
    explanation.tokens[i].node.key = absl::StrCat("n", i);
  }
  const uint32_t edges = random.Below(15);
  for (uint32_t i = 0; i < edges; ++i)
    explanation.edges.push_back({random.Below(nodes), random.Below(nodes),
                                 absl::StrCat("r", random.Below(3))});
  return explanation;
}

TEST(ContextTreeTest, HoldsEveryLinkOnceAndReachesEveryNode) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const LinkExplanation explanation = RandomExplanation(seed);
    const ContextTree tree = BuildContextTree(explanation);
    LinkSet expected;
    for (const ExplainedEdge& edge : explanation.edges)
      expected.emplace(edge.source, edge.target, edge.relation);
    LinkSet held;
    std::multiset<size_t> reached(tree.roots.begin(), tree.roots.end());
    for (size_t near = 0; near < tree.links.size(); ++near) {
      for (const DrawnLink& link : tree.links[near]) {
        const bool out = link.direction == ArcDirection::kOut;
        for (const std::string& relation : link.relations)
          held.emplace(out ? near : link.other, out ? link.other : near,
                       relation);
        if (link.expands) reached.insert(link.other);
      }
    }
    EXPECT_EQ(held, expected) << "seed " << seed;
    EXPECT_EQ(reached.size(), explanation.tokens.size()) << "seed " << seed;
    EXPECT_EQ(std::set<size_t>(reached.begin(), reached.end()).size(),
              explanation.tokens.size())
        << "seed " << seed;
    EXPECT_EQ(tree.roots.front(), 0) << "seed " << seed;
    EXPECT_EQ(tree.roots.back(), 1) << "seed " << seed;
  }
}

TEST(ContextTreeTest, DrawsAsManyLinesAsRootsAndMergedLinks) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const LinkExplanation explanation = RandomExplanation(seed);
    std::set<std::pair<size_t, size_t>> merged;
    for (const ExplainedEdge& edge : explanation.edges)
      merged.emplace(edge.source, edge.target);
    const ContextTree tree = BuildContextTree(explanation);
    const std::string drawn = DrawContextTree(explanation, TextStyle{}, 0);
    EXPECT_EQ(std::count(drawn.begin(), drawn.end(), '\n'),
              tree.roots.size() + merged.size())
        << "seed " << seed << "\n"
        << drawn;
  }
}

TEST(ContextDrawingTest, DrawsTheToyContext) {
  EXPECT_EQ(DrawContextTree(*ToyScoredLink().explanation, TextStyle{}, 2),
            "  ● curl (package)\n"
            "  └── depends ─▶ ○ libcurl4 (package)\n"
            "      └◀─ depends, suggests ── ○ wget (package)\n"
            "          └── tagged ─▶ ◎ role::program (debtag)\n"
            "  ◎ role::program (debtag)\n");
}

TEST(ContextDrawingTest, DrawsInAscii) {
  TextStyle style;
  style.unicode = false;
  EXPECT_EQ(DrawContextTree(*ToyScoredLink().explanation, style, 0),
            "* curl (package)\n"
            "`-- depends -> o libcurl4 (package)\n"
            "    `<- depends, suggests -- o wget (package)\n"
            "        `-- tagged -> @ role::program (debtag)\n"
            "@ role::program (debtag)\n");
}

TEST(ContextDrawingTest, MarksNodesDrawnElsewhereAndLoops) {
  LinkExplanation explanation;
  explanation.tokens.resize(5);
  const char* names[] = {"source", "target", "a", "b", "alone"};
  for (size_t i = 0; i < 5; ++i) explanation.tokens[i].node.key = names[i];
  explanation.tokens[0].role = ExplainedRole::kSource;
  explanation.tokens[1].role = ExplainedRole::kTarget;
  explanation.edges = {{0, 2, "r"}, {0, 3, "r"}, {2, 3, "s"}, {2, 2, "self"}};
  EXPECT_EQ(DrawContextTree(explanation, TextStyle{}, 0),
            "● source\n"
            "├── r ─▶ ○ a\n"
            "│   ├── s ─▶ ○ b ↑\n"
            "│   └── self ─▶ itself\n"
            "└── r ─▶ ○ b\n"
            "○ alone  no link to the others\n"
            "◎ target  no link to the others\n");
}

TEST(ContextDrawingTest, DrawsWhatOnlyTheTargetReaches) {
  LinkExplanation explanation;
  explanation.tokens.resize(3);
  const char* names[] = {"source", "target", "fan"};
  for (size_t i = 0; i < 3; ++i) explanation.tokens[i].node.key = names[i];
  explanation.tokens[0].role = ExplainedRole::kSource;
  explanation.tokens[1].role = ExplainedRole::kTarget;
  explanation.edges = {{2, 1, "likes"}};
  EXPECT_EQ(DrawContextTree(explanation, TextStyle{}, 0),
            "● source\n"
            "◎ target\n"
            "└◀─ likes ── ○ fan\n");
}

TEST(ContextDrawingTest, CutsLongNamesToTheWidth) {
  LinkExplanation explanation;
  explanation.tokens.resize(1);
  explanation.tokens[0].role = ExplainedRole::kSource;
  explanation.tokens[0].node = {"k", std::string(100, 'x'), "paper"};
  TextStyle style;
  style.width = 40;
  EXPECT_EQ(DrawContextTree(explanation, style, 2),
            "  ● " + std::string(27, 'x') + "… (paper)\n");
}

}  // namespace
}  // namespace slice
