#include "context/link_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/toy_graph.h"
#include "tests/testing/two_kinds_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LinkFlagsTest : public ::testing::Test {
 protected:
  Link Of(const char* source, const char* relation, const char* target) const {
    return ToyLink(*graph_, source, relation, target);
  }
  LinkFlags Flags(const Link& link) const {
    return FlagsOf(*graph_, graph_->schema(), link);
  }
  std::vector<std::string> Notes(const Link& link) const {
    return FlagNotes(*graph_, graph_->schema(), link, Flags(link),
                     OwnPairLinks::kHide);
  }

  const std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
};

TEST_F(LinkFlagsTest, AnOrdinaryPairHasNone) {
  const Link link = Of("curl", "depends", "libssl-dev");
  EXPECT_EQ(Flags(link), LinkFlags());
  EXPECT_EQ(FlagNames(Flags(link)), "");
  EXPECT_THAT(Notes(link), IsEmpty());
}

TEST_F(LinkFlagsTest, ALinkOfTheGraphExists) {
  const Link link = Of("libssl-dev", "depends", "libssl3");
  EXPECT_EQ(FlagNames(Flags(link)), "exists");
  EXPECT_THAT(Notes(link), ElementsAre(HasSubstr("the graph has this link")));
  EXPECT_THAT(FlagNotes(*graph_, graph_->schema(), link, Flags(link),
                        OwnPairLinks::kReveal)[0],
              HasSubstr("other links between its ends were not"));
}

TEST_F(LinkFlagsTest, ASelfPairOfTheWrongTypeSaysBoth) {
  const Link link = Of("curl", "tagged", "curl");
  EXPECT_EQ(FlagNames(Flags(link)), "self,off_schema_target");
  EXPECT_THAT(
      Notes(link),
      ElementsAre("both ends are one node; tagged links no node to itself in "
                  "the graph",
                  "curl has the type 'package'; targets of tagged have 'tag'"));
}

TEST_F(LinkFlagsTest, ASelfLoopOfTheGraphIsNoSelfPairToWarnOf) {
  const Link link = Of("privoxy", "suggests", "privoxy");
  EXPECT_EQ(FlagNames(Flags(link)), "exists,self");
  EXPECT_THAT(Notes(link), ElementsAre(HasSubstr("the graph has this link")));
}

TEST_F(LinkFlagsTest, AnEndWithoutLinksIsCold) {
  const Link link = Of("lonely", "tagged", "web::browser");
  EXPECT_EQ(FlagNames(Flags(link)), "cold_source");
  EXPECT_THAT(Notes(link), ElementsAre(HasSubstr("lonely has no link")));
}

TEST_F(LinkFlagsTest, WrongSourcesAndTruncationAreNamed) {
  const Link link = Of("web::browser", "depends", "curl");
  LinkFlags flags = Flags(link);
  flags.truncated = true;
  EXPECT_EQ(FlagNames(flags), "off_schema_source,truncated");
  EXPECT_THAT(
      FlagNotes(*graph_, graph_->schema(), link, flags, OwnPairLinks::kHide),
      ElementsAre("web::browser has the type 'tag'; sources of depends "
                  "have 'package'",
                  HasSubstr("only some neighbours")));
}

TEST(LinkFlagsOfOneTypeTest, TheSlotThatShutsAPlaceOutIsNamed) {
  const auto graph = TwoKindsGraph();
  const Link link = {kPeople, 0, 1};  // place0 knows person1
  const LinkFlags flags = FlagsOf(*graph, graph->schema(), link);
  EXPECT_EQ(FlagNames(flags), "off_schema_source");
  EXPECT_THAT(
      FlagNotes(*graph, graph->schema(), link, flags, OwnPairLinks::kHide),
      ElementsAre("place0 is a target of born_in; in the graph no "
                  "target of born_in is a source of knows"));
}

}  // namespace
}  // namespace slice
