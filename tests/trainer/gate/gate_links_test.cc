#include "trainer/gate/gate_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A graph with these links, {relation, source, target}. Ids follow the first
// appearance of a name, so that two graphs number the same nodes differently.
std::shared_ptr<const GraphSnapshot> GraphOf(
    const std::vector<std::array<std::string, 3>>& links) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  std::map<std::string, NodeId> nodes;
  std::map<std::string, RelationId> relations;
  for (const auto& [relation, source, target] : links) {
    const auto [at, is_new] = relations.try_emplace(
        relation, static_cast<RelationId>(relations.size()));
    if (is_new) data.catalogue.relations.push_back(relation);
    Link link{0, at->second, 0};
    for (const auto& [key, end] :
         {std::pair(&source, &link.source), std::pair(&target, &link.target)}) {
      const auto [node, first] =
          nodes.try_emplace(*key, static_cast<NodeId>(nodes.size()));
      if (first) data.catalogue.nodes.push_back({*key, *key, 0});
      *end = node->second;
    }
    data.links.push_back(link);
  }
  return BuildSnapshotOrDie(data);
}

class GateLinksTest : public ::testing::Test {
 protected:
  GateLinks Choose(const std::vector<NamedLink>& rows) {
    const auto chosen = ChooseGateLinks(rows, names_, 1);
    EXPECT_TRUE(chosen.ok()) << chosen.status();
    return *chosen;
  }

  // The candidate knows "new" and "later", and no longer "old" and "gone".
  const std::shared_ptr<const GraphSnapshot> current_ =
      GraphOf({{"likes", "a", "b"},
               {"likes", "b", "c"},
               {"gone", "old", "a"},
               {"likes", "d", "e"},
               {"likes", "f", "g"}});
  const std::shared_ptr<const GraphSnapshot> candidate_ =
      GraphOf({{"later", "g", "f"},
               {"likes", "new", "e"},
               {"likes", "d", "e"},
               {"likes", "b", "c"},
               {"likes", "a", "c"},
               {"likes", "a", "b"}});
  const SharedNames names_{*current_, *candidate_, *current_};
};

TEST_F(GateLinksTest, EachBundleGetsIdsOfItsOwnGraph) {
  const GateLinks chosen =
      Choose({{"likes", "e", "a", true}, {"likes", "g", "b", false}});
  ASSERT_THAT(chosen.links, SizeIs(2));
  const GateLink& link = chosen.links[0];
  EXPECT_EQ(current_->Key(link.current.source), "e");
  EXPECT_EQ(current_->Key(link.current.target), "a");
  ASSERT_TRUE(link.candidate.has_value());
  EXPECT_NE(link.candidate->source, link.current.source);
  EXPECT_EQ(candidate_->Key(link.candidate->source), "e");
  EXPECT_EQ(candidate_->Key(link.candidate->target), "a");
  EXPECT_EQ(candidate_->RelationName(link.candidate->relation), "likes");
  EXPECT_FALSE(chosen.links[1].positive);
  EXPECT_EQ(chosen.drawn, 0u);
}

TEST_F(GateLinksTest, LinksOfATrainGraphAreNoEvidence) {
  const GateLinks chosen = Choose({{"likes", "a", "b", true},
                                   {"likes", "a", "c", true},
                                   {"likes", "d", "a", true},
                                   {"likes", "e", "a", false}});
  EXPECT_EQ(chosen.in_current, 1u);    // a b, which both have
  EXPECT_EQ(chosen.in_candidate, 1u);  // a c
  EXPECT_THAT(chosen.links, SizeIs(2));
}

TEST_F(GateLinksTest, WhatTheCurrentBundleCannotNameIsLeftOutAndCounted) {
  const GateLinks chosen = Choose({{"likes", "new", "a", true},
                                   {"later", "a", "b", true},
                                   {"likes", "nowhere", "a", true},
                                   {"likes", "d", "a", true},
                                   {"likes", "e", "a", false}});
  EXPECT_EQ(chosen.only_candidate, 2u);
  EXPECT_EQ(chosen.unknown, 1u);
  EXPECT_THAT(chosen.links, SizeIs(2));
}

TEST_F(GateLinksTest, ALinkThatOnlyTheCurrentBundleNamesStays) {
  const GateLinks chosen = Choose({{"likes", "old", "b", true},
                                   {"gone", "a", "b", true},
                                   {"likes", "old", "c", false},
                                   {"likes", "e", "a", false}});
  EXPECT_EQ(chosen.only_current, 3u);
  ASSERT_THAT(chosen.links, SizeIs(3));  // not the non-link of "old"
  EXPECT_FALSE(chosen.links[0].candidate.has_value());
  EXPECT_FALSE(chosen.links[1].candidate.has_value());
  EXPECT_TRUE(chosen.links[2].candidate.has_value());
}

// Both bundles answer on the candidate's graph, whose first nodes are those of
// the current bundle; that one has learned d e, and a link that is gone.
TEST_F(GateLinksTest, OnOneGraphTheTrainLinksOfTheCurrentBundleAreNoEvidence) {
  const auto live = GraphOf({{"likes", "a", "b"},
                             {"likes", "b", "c"},
                             {"likes", "d", "a"},
                             {"likes", "new", "a"}});
  const auto learned =
      GraphOf({{"likes", "a", "b"}, {"likes", "c", "b"}, {"likes", "d", "b"}});
  const SharedNames names(*live, *live, *learned);
  const auto chosen = ChooseGateLinks({{"likes", "c", "b", true},
                                       {"likes", "d", "a", true},
                                       {"likes", "new", "b", true},
                                       {"likes", "a", "d", false}},
                                      names, 1);
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(chosen->in_current, 1u);    // c b, which the live graph lacks
  EXPECT_EQ(chosen->in_candidate, 1u);  // d a
  EXPECT_EQ(chosen->only_candidate, 0u);
  EXPECT_THAT(chosen->links, SizeIs(2));
}

TEST_F(GateLinksTest, RepeatedRowsCountOnce) {
  const GateLinks chosen = Choose({{"likes", "d", "a", true},
                                   {"likes", "d", "a", true},
                                   {"likes", "x", "y", true},
                                   {"likes", "x", "y", true},
                                   {"likes", "e", "a", false}});
  EXPECT_EQ(chosen.rows, 3u);
  EXPECT_EQ(chosen.unknown, 1u);
}

TEST_F(GateLinksTest, PositivesAloneGetNonLinksThatBothBundlesCanName) {
  const std::vector<NamedLink> rows = {{"likes", "d", "a", true},
                                       {"likes", "e", "a", true},
                                       {"likes", "old", "b", true},
                                       {"likes", "g", "c", true}};
  const GateLinks chosen = Choose(rows);
  EXPECT_EQ(chosen.drawn, 4u);
  ASSERT_THAT(chosen.links, SizeIs(8));
  for (size_t i = 4; i < 8; ++i) {
    const GateLink& drawn = chosen.links[i];
    EXPECT_FALSE(drawn.positive);
    EXPECT_EQ(drawn.made_from, i - 4);
    EXPECT_EQ(drawn.candidate, names_.InCandidate(drawn.current));
    ASSERT_TRUE(drawn.candidate.has_value());
    EXPECT_FALSE(names_.EitherHas(drawn.current));
    for (size_t j = 0; j < i; ++j) {
      EXPECT_NE(drawn.current, chosen.links[j].current);
    }
  }
  std::vector<NamedLink> reversed(rows.rbegin(), rows.rend());
  const GateLinks again = Choose(reversed);
  EXPECT_EQ(again.Positives(), chosen.Positives());
}

TEST_F(GateLinksTest, AFileIsReadLikeOtherFilesOfLinks) {
  const TempDirectory directory;
  directory.Write("new.csv", "from,kind,to\nd,likes,a\n\"e\",likes,a\n");
  const auto rows = ReadNamedLinks({.path = (directory / "new.csv").string(),
                                    .columns = "source,relation,target",
                                    .format = "header"});
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_THAT(*rows, SizeIs(2));
  EXPECT_EQ((*rows)[1].source, "e");
  EXPECT_EQ((*rows)[1].relation, "likes");
  EXPECT_TRUE((*rows)[1].positive);
}

TEST_F(GateLinksTest, AMalformedRowIsNamed) {
  const TempDirectory directory;
  directory.Write("new.tsv", "likes\td\ta\t1\nlikes\td\te\t7\n");
  const auto rows = ReadNamedLinks(
      {.path = (directory / "new.tsv").string(), .columns = "", .format = ""});
  EXPECT_EQ(rows.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(rows.status().message(), HasSubstr("new.tsv:2:11"));
}

TEST_F(GateLinksTest, AnEmptyFileIsRefused) {
  const TempDirectory directory;
  directory.Write("new.tsv", "# nothing\n");
  const auto rows = ReadNamedLinks(
      {.path = (directory / "new.tsv").string(), .columns = "", .format = ""});
  EXPECT_EQ(rows.status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
