#include "client/drawing/explanation_drawing.h"

#include <string>

#include "common/text_width.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"

namespace slice {
namespace {

using testing::HasSubstr;
using testing::Not;

const ScoringModelText kModel = {0.41, {}};

constexpr const char kDrawing[] = R"(curl ── tagged ─▶ role::program

  probability   0.9731  ███████████████████████▍  a link (threshold 0.4100)
  among kind    0.8125  ███████████████████▌░░░░  fit, from 0 to 1
  structure    +2.9000  ███████████████████▌      81 % of the score: pair features
  context      +0.6800  ████▌                     19 % of the score: attention
  logit        +3.5800                            structure + context

  curl shares libcurl4 with wget, which is tagged role::program.

Metapath  3 hops
  curl ── depends ─▶ libcurl4 ◀─ depends ── wget ── tagged ─▶ role::program

Context  4 nodes, 4 links
  ● curl (package)
  └── depends ─▶ ○ libcurl4 (package)
      └◀─ depends, suggests ── ○ wget (package)
          └── tagged ─▶ ◎ role::program (debtag)
  ◎ role::program (debtag)

Attention  what each end takes from each token; effect: logit lost without it
  role     token                   from source  from target  effect
  source   curl (package)          0.250 ██▌    0.125 █▎
  target   role::program (debtag)  0.125 █▎     0.375 ███▊
  between  libcurl4 (package)      0.500 █████  0.250 ██▌     +0.90
  between  wget (package)          0.125 █▎     0.250 ██▌     -0.05
  cosine of the two ends: 0.25, 0.75 after layer 1

Pair features  the 3 of 3 that move the structure most, each against its mean
  contribution           value  what
   +1.2500       │█████  +2.25  three_paths
   -0.7500    ███│       -1.50  common_neighbours
   +0.2500       │█      +3.50  log_degree_source
)";
constexpr const char kAsciiDrawing[] = R"(curl -- tagged -> role::program

  probability   0.9731  ########  a link
  among kind    0.8125  #######.  fit, from 0 to 1
  structure    +2.9000  #######   81 % of the score: pair f~
  context      +0.6800  ##        19 % of the score: attent~
  logit        +3.5800            structure + context

  curl shares libcurl4 with wget, which is tagged
  role::program.

Metapath  3 hops
  curl -- depends -> libcurl4 <- depends -- wget
  -- tagged -> role::program

Context  4 nodes, 4 links
  * curl (package)
  `-- depends -> o libcurl4 (package)
      `<- depends, suggests -- o wget (package)
          `-- tagged -> @ role::program (debtag)
  @ role::program (debtag)

Attention  what each end takes from each token; effect:
           logit lost without it
  role     token            from source  from target  effect
  source   curl (package)   0.250 ###    0.125 #
  target   role::program ~  0.125 #      0.375 ####
  between  libcurl4 (pack~  0.500 #####  0.250 ###     +0.90
  between  wget (package)   0.125 #      0.250 ###     -0.05
  cosine of the two ends: 0.25, 0.75 after layer 1

Pair features  the 3 of 3 that move the structure most, each
               against its mean
  contribution           value  what
   +1.2500       |#####  +2.25  three_paths
   -0.7500    ###|       -1.50  common_neighbours
   +0.2500       |#      +3.50  log_degree_source
)";

TEST(ExplanationDrawingTest, DrawsTheToyLink) {
  EXPECT_EQ(DrawExplanation(ToyScoredLink(), kModel, TextStyle{}), kDrawing);
}

TEST(ExplanationDrawingTest, DrawsTheToyLinkInAscii) {
  TextStyle style;
  style.unicode = false;
  style.width = 60;
  EXPECT_EQ(DrawExplanation(ToyScoredLink(), {}, style), kAsciiDrawing);
}

TEST(ExplanationDrawingTest, ListsSeveralContexts) {
  EXPECT_THAT(DrawExplanation(ToyScoredLink(), kModel, TextStyle{}),
              Not(HasSubstr("Contexts")));
  ScoredLink link = ToyContextsLink();
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}), HasSubstr(R"(
Contexts  2 were drawn, the first is above; the logit is the mean of theirs
  context    logit  probability      nodes between the ends, the most attended first
        1  +4.5800  0.9900 ███████▉  libcurl4, wget
        2  +2.5800  0.9300 ███████▌  wget, libcurl4

Pair features)"));
  link.explanation->context_pooling = "max";
  link.explanation->contexts[1].tokens.resize(2);
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("the logit is the largest of theirs"));
  EXPECT_THAT(drawn, HasSubstr("  2  +2.5800  0.9300 ███████▌  -\n"));
}

TEST(ExplanationDrawingTest, RepeatedNamesInOtherContextsShowTheirKeys) {
  ScoredLink link = ToyContextsLink();
  link.explanation->contexts[1].tokens[2].node = {"other/1", "wget", "package"};
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              HasSubstr("wget [wget], wget [other/1]"));
}

TEST(ExplanationDrawingTest, SaysWhenThereIsNoPath) {
  ScoredLink link = ToyScoredLink();
  link.decision = false;
  link.explanation->metapath.clear();
  link.explanation->distance = -1;
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("no path within 6 hops"));
  link.explanation->truncated = true;
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              HasSubstr("no path found within 6 hops (not all were searched)"));
  EXPECT_THAT(drawn, HasSubstr("no link (threshold 0.4100)"));
}

TEST(ExplanationDrawingTest, SaysWhenThePathLiesOutsideTheContext) {
  ScoredLink link = ToyScoredLink();
  link.explanation->metapath.clear();
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              HasSubstr("the ends are 3 hops apart"));
}

TEST(ExplanationDrawingTest, SharesTheScoreByMagnitude) {
  ScoredLink link = ToyScoredLink();
  link.logit_structural = -3;
  link.logit_context = 1;
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("-3.0000  ██████████████████        75 %"));
  EXPECT_THAT(drawn, HasSubstr("+1.0000  ██████                    25 %"));
}

TEST(ExplanationDrawingTest, SaysWhatWasSearched) {
  ScoredLink link = ToyScoredLink();
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              Not(HasSubstr("only a sample was searched")));
  link.explanation->truncated = true;
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              HasSubstr("only a sample was searched"));
  link.explanation->searched = "at most 7 nodes";
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              HasSubstr("  at most 7 nodes\n"));
}

TEST(ExplanationDrawingTest, RepeatedNamesShowTheirKeys) {
  ScoredLink link = ToyPathLink();
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}), Not(HasSubstr("[")));
  link.explanation->tokens[3].path[0].node = {"other/1", "curl", "package"};
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("curl [curl] ── tagged"));
  EXPECT_THAT(drawn, HasSubstr("curl [other/1]"));
}

constexpr const char kPathsAt80Columns[] =
    R"(curl ── tagged ─▶ role::program

  probability   0.9731  ███████▊  a link (threshold 0.4100)
  among kind    0.8125  ██████▌░  fit, from 0 to 1
  structure    +2.9000  ██████▌   81 % of the score: pair features
  context      +0.6800  █▌        19 % of the score: attention
  logit        +3.5800            structure + context

  There are 1,234 paths such as curl -depends-> libcurl4 <-depends- wget
  -tagged-> role::program; without them 0.97 becomes 0.41

Evidence  what the score loses without it
    effect               becomes  what (* = named above)
*  +3.9000       │█████   0.4100  there are 1,234 paths such as curl -depends->
                                  libcurl4 <-depends- wget -tagged->
                                  role::program
   -0.8000      █│        0.9875  curl has 12 neighbours and role::program has
                                  6,512
  without all that is named the probability is 0.4100, with that alone 0.9300

Metapath  3 hops, 1,234 such paths
  curl ── depends ─▶ libcurl4 ◀─ depends ── wget ── tagged ─▶ role::program

Context  2 types of paths; what each end takes from each token; effect: logit
         lost without it
  from source  from target  effect  paths
  0.250 █▎     0.125 ▋                     ● curl (package)
  0.125 ▋      0.375 █▉                    ◎ role::program (debtag)
  0.500 ██▌    0.250 █▎      +3.90  1,234  ── depends ─▶ libcurl4 ◀─ depends ──
                                           wget ── tagged ─▶
  0.125 ▋      0.250 █▎      +0.90      1  ── suggests ─▶ wget ── tagged ─▶
  of nodes with many neighbours only a sample was searched: 256 common
  neighbours

Pair features  the 1 of 1 that move the structure most, each against its mean
  contribution           value  what
   +1.2500       │█████  +2.25  three_paths
)";

TEST(ExplanationDrawingTest, DrawsPathsAndEvidenceAt80Columns) {
  TextStyle style;
  style.width = 80;
  EXPECT_EQ(DrawExplanation(ToyPathLink(), kModel, style), kPathsAt80Columns);
}

TEST(ExplanationDrawingTest, NothingIsWiderThan80Columns) {
  TextStyle style;
  style.width = 80;
  const PairFeatureText texts[] = {
      {"three_paths", "three_paths",
       "How many paths of three links join the ends, of which those over nodes "
       "with few neighbours count more."}};
  for (const ScoredLink& link :
       {ToyScoredLink(), ToyPathLink(), ToyContextsLink()}) {
    const std::string drawn = DrawExplanation(link, {0.41, texts}, style);
    for (size_t begin = 0; begin < drawn.size();) {
      const size_t end = drawn.find('\n', begin);
      const std::string line = drawn.substr(begin, end - begin);
      EXPECT_LE(DisplayWidth(line), 80u) << line;
      begin = end + 1;
    }
    EXPECT_THAT(drawn, HasSubstr("count more."));
  }
}

TEST(ExplanationDrawingTest, ShowsTheFeaturesThatContributeMostFirst) {
  ScoredLink link = ToyScoredLink();
  for (int i = 0; i < 20; ++i)
    link.explanation->pair_features.push_back({"small", 5, 0.01f});
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("the 8 of 23"));
  EXPECT_LT(drawn.find("three_paths"), drawn.find("common_neighbours"));
  EXPECT_LT(drawn.find("common_neighbours"), drawn.find("log_degree_source"));
}

TEST(ExplanationDrawingTest, UsesColourOnlyWhenAsked) {
  TextStyle style;
  EXPECT_THAT(DrawExplanation(ToyScoredLink(), kModel, style),
              Not(HasSubstr("\x1b")));
  style.color = true;
  EXPECT_THAT(DrawExplanation(ToyScoredLink(), kModel, style),
              HasSubstr("\x1b[1;36m"));
}

TEST(ExplanationDrawingTest, NamesCannotDriveTheTerminal) {
  ScoredLink link = ToyScoredLink();
  link.source.name = link.explanation->tokens[0].node.name = "a\x1b[2Jb";
  link.explanation->summary = "see \x1b]0;x\x07";
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              Not(HasSubstr("\x1b")));
}

TEST(ExplanationDrawingTest, DrawsPathsAfterTheEndsByAttention) {
  EXPECT_THAT(DrawExplanation(ToyPathLink(), kModel, TextStyle{}), HasSubstr(R"(
Metapath  3 hops, 1,234 such paths
  curl ── depends ─▶ libcurl4 ◀─ depends ── wget ── tagged ─▶ role::program

Context  2 types of paths; what each end takes from each token; effect: logit lost without it
  from source  from target  effect  paths
  0.250 █▎     0.125 ▋                     ● curl (package)
  0.125 ▋      0.375 █▉                    ◎ role::program (debtag)
  0.500 ██▌    0.250 █▎      +3.90  1,234  ── depends ─▶ libcurl4 ◀─ depends ── wget ── tagged ─▶
  0.125 ▋      0.250 █▎      +0.90      1  ── suggests ─▶ wget ── tagged ─▶
  of nodes with many neighbours only a sample was searched: 256 common neighbours

Pair features)"));
}

TEST(ExplanationDrawingTest, WrapsPathsUnderTheirStart) {
  TextStyle style;
  style.unicode = false;
  style.width = 60;
  EXPECT_THAT(DrawExplanation(ToyPathLink(), kModel, style), HasSubstr(R"(
  0.500 ###    0.250 #       +3.90  1,234  -- depends ->
                                           libcurl4
                                           <- depends --
                                           wget -- tagged ->
)"));
}

TEST(ExplanationDrawingTest, PathNamesCannotDriveTheTerminal) {
  ScoredLink link = ToyPathLink();
  ExplainedPathStep& step = link.explanation->tokens[3].path[0];
  step.node.name = "a\x1b[2Jb";
  step.relation = "r\x1b]0;x\x07";
  EXPECT_THAT(DrawExplanation(link, kModel, TextStyle{}),
              Not(HasSubstr("\x1b")));
}

TEST(ExplanationDrawingTest, SaysWhichScorerAnswered) {
  ScoredLink link = ToyPathLink();
  link.scorer = "ends";
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("  ends         +0.6800"));
  EXPECT_THAT(drawn, HasSubstr("19 % of the score: what the ends are"));
  EXPECT_THAT(drawn, HasSubstr("no part of this score"));
  EXPECT_THAT(drawn, Not(HasSubstr("explains the context's share")));
}

TEST(ExplanationDrawingTest, AStructuralScoreHasNoShareOfContext) {
  ScoredLink link = ToyPathLink();
  link.scorer = "structural";
  link.logit_context = 0;
  const std::string drawn = DrawExplanation(link, kModel, TextStyle{});
  EXPECT_THAT(drawn, HasSubstr("100 % of the score: pair features"));
  EXPECT_THAT(drawn, HasSubstr("  context            -  "));
  EXPECT_THAT(drawn, Not(HasSubstr("0.0000")));
  EXPECT_THAT(drawn, Not(HasSubstr("structure + context")));
}

}  // namespace
}  // namespace slice
