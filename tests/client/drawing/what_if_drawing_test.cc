#include "client/drawing/what_if_drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/text_width.h"
#include "tests/client/test_client.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

WhatIfQuery Changes() {
  WhatIfQuery query;
  query.removed_links.push_back(Query("curl", "depends", "libcurl4"));
  query.added_nodes.push_back({"newpkg", "package"});
  return query;
}

ScoredLink Imagined() {
  ScoredLink link = ToyPathLink();
  link.probability = 0.25f;
  link.decision = false;
  link.explanation->summary = "Little speaks for the link";
  link.explanation->evidence.erase(link.explanation->evidence.begin());
  return link;
}

TEST(WhatIfDrawingTest, ShowsBothAnswersSideBySide) {
  const ScoredLink now = ToyPathLink();
  const std::string drawn = DrawWhatIf(Changes(), now, Imagined(), {});
  EXPECT_THAT(drawn, HasSubstr("what if: with the node newpkg\n"));
  EXPECT_THAT(drawn, HasSubstr("what if: without curl depends libcurl4\n"));
  EXPECT_THAT(drawn, HasSubstr("now  what if   change\n"));
  EXPECT_THAT(drawn, HasSubstr("no link  another\n"));
  EXPECT_THAT(drawn, HasSubstr("Little speaks for the link"));
  EXPECT_THAT(drawn, HasSubstr(now.explanation->summary.substr(0, 20)));
}

TEST(WhatIfDrawingTest, ShowsTheThresholdWhereTheServerSaysIt) {
  ScoredLink now = ToyPathLink();
  ScoredLink imagined = Imagined();
  now.decision_threshold = imagined.decision_threshold = 0;
  EXPECT_THAT(DrawWhatIf(Changes(), now, imagined, {}),
              Not(HasSubstr("threshold")));
  now.decision_threshold = imagined.decision_threshold = 0.3835f;
  EXPECT_THAT(
      DrawWhatIf(Changes(), now, imagined, {}),
      testing::ContainsRegex("threshold +0\\.3835 +0\\.3835 +the same\n"));
}

TEST(WhatIfDrawingTest, MarksEvidenceThatOneAnswerLacks) {
  const ScoredLink now = ToyPathLink();
  ASSERT_FALSE(now.explanation->evidence.empty());
  const std::string drawn = DrawWhatIf(Changes(), now, Imagined(), {});
  const size_t evidence = drawn.find("Evidence");
  ASSERT_NE(evidence, std::string::npos);
  EXPECT_THAT(drawn.substr(evidence), HasSubstr("       -  "));
}

TEST(WhatIfDrawingTest, SaysThatASampleMayChange) {
  ScoredLink now = ToyPathLink();
  now.explanation->truncated = false;
  EXPECT_THAT(DrawWhatIf(Changes(), now, now, {}),
              Not(HasSubstr("only a sample")));
  ScoredLink sampled = now;
  sampled.explanation->truncated = true;
  EXPECT_THAT(DrawWhatIf(Changes(), now, sampled, {}),
              HasSubstr("of nodes with many neighbours only a sample"));
}

TEST(WhatIfDrawingTest, FitsTheTerminal) {
  for (const size_t width : {60, 80, 120}) {
    TextStyle style;
    style.width = width;
    ScoredLink imagined = Imagined();
    imagined.explanation->truncated = true;
    const std::string drawn =
        DrawWhatIf(Changes(), ToyPathLink(), imagined, style);
    size_t begin = 0;
    for (size_t end = drawn.find('\n'); end != std::string::npos;
         begin = end + 1, end = drawn.find('\n', begin)) {
      EXPECT_LE(DisplayWidth(drawn.substr(begin, end - begin)), width);
    }
  }
}

TEST(WhatIfDrawingTest, DrawsScoresWithoutExplanations) {
  ScoredLink now = ToyPathLink(), imagined = Imagined();
  now.explanation.reset();
  imagined.explanation.reset();
  const std::string drawn = DrawWhatIf(Changes(), now, imagined, {});
  EXPECT_THAT(drawn, HasSubstr("probability"));
  EXPECT_THAT(drawn, Not(HasSubstr("Evidence")));
}

}  // namespace
}  // namespace slice
