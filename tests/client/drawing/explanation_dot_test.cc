#include "client/drawing/explanation_dot.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"

namespace slice {
namespace {

using testing::HasSubstr;

TEST(ExplanationAsDotTest, WritesNodesLinksAndTheQuestion) {
  const std::string dot = ExplanationAsDot(ToyScoredLink());
  EXPECT_THAT(dot, HasSubstr("t0 [shape=doubleoctagon, label=\"curl\\npackage"
                             "\\nattention 0.250 / 0.125\""));
  EXPECT_THAT(dot, HasSubstr("t3 -> t2 [label=\"depends\", penwidth=3];"));
  EXPECT_THAT(dot, HasSubstr("t3 -> t2 [label=\"suggests\"];"));
  EXPECT_THAT(dot, HasSubstr("t0 -> t1 [style=dashed"));
  EXPECT_THAT(dot, HasSubstr("label=\"tagged? 0.9731\""));
}

TEST(ExplanationAsDotTest, WritesThePathsOfAContextOfPaths) {
  const std::string dot = ExplanationAsDot(ToyPathLink());
  EXPECT_THAT(dot, HasSubstr("p0 [shape=ellipse, label=\"libcurl4\\npackage\\n"
                             "attention 0.500 / 0.250\\n1,234 paths\\n"
                             "effect +3.90\", fillcolor="));
  // wget is in both paths.
  EXPECT_THAT(dot, HasSubstr("p1 [shape=ellipse, label=\"wget\\npackage\\n"
                             "attention 0.625 / 0.500\\n1,235 paths\\n"
                             "effect +4.80\", fillcolor="));
  EXPECT_THAT(dot, HasSubstr("t0 -> p0 [label=\"depends\", penwidth=3];"));
  EXPECT_THAT(dot,
              HasSubstr("p0 -> p1 [label=\"depends\", dir=back, penwidth=3];"));
  EXPECT_THAT(dot, HasSubstr("t0 -> p1 [label=\"suggests\"];"));
  // This link is in both paths and drawn once.
  const std::string shared = "p1 -> t1 [label=\"tagged\"";
  EXPECT_THAT(dot, HasSubstr(shared + ", penwidth=3];"));
  EXPECT_EQ(dot.find(shared), dot.rfind(shared));
  EXPECT_THAT(dot, HasSubstr("t0 -> t1 [style=dashed"));
}

TEST(ExplanationAsDotTest, TheSourceStandsLeftAndColoursTellTypes) {
  for (const ScoredLink& link : {ToyScoredLink(), ToyPathLink()}) {
    const std::string dot = ExplanationAsDot(link);
    EXPECT_THAT(dot, HasSubstr("rankdir=LR;"));
    EXPECT_THAT(dot, HasSubstr("{rank=source; t0;}"));
    EXPECT_THAT(dot, HasSubstr("{rank=sink; t1;}"));
    const auto color_of = [&](const std::string& label) {
      const size_t at = dot.find("fillcolor=", dot.find(label));
      return dot.substr(at, dot.find(']', at) - at);
    };
    EXPECT_EQ(color_of("label=\"curl"), color_of("label=\"wget"));
    EXPECT_NE(color_of("label=\"curl"), color_of("label=\"role::program"));
  }
}

TEST(ExplanationAsDotTest, EscapesNames) {
  ScoredLink link = ToyScoredLink();
  link.explanation->tokens[0].node = {"k", "a \"b\" \\c\nd", "t"};
  EXPECT_THAT(ExplanationAsDot(link),
              HasSubstr("label=\"a \\\"b\\\" \\\\c\uFFFDd\\nt\\n"));
}

}  // namespace
}  // namespace slice
