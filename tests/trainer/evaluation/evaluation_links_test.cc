#include "trainer/evaluation/evaluation_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

std::vector<Link> Positives(std::span<const LabelledLink> rows) {
  std::vector<Link> links;
  for (const LabelledLink& row : rows) {
    if (row.positive) links.push_back(row.link);
  }
  return links;
}

// A graph, and held-out rows that are no links of it.
class EvaluationLinksTest : public ::testing::TestWithParam<int> {
 protected:
  EvaluationLinksTest()
      : snapshot_(BuildSnapshotOrDie(RandomMultigraph(
            {.nodes = 30, .links = 300}, static_cast<uint64_t>(GetParam())))) {
    Random random(static_cast<uint64_t>(GetParam()) + 100);
    std::set<Link> seen;
    while (rows_.size() < 150) {
      const Link link = {random.Below(30),
                         static_cast<RelationId>(random.Below(4)),
                         random.Below(30)};
      if (snapshot_->HasLink(link) || !seen.insert(link).second) continue;
      rows_.push_back({link, rows_.size() % 2 == 0});
    }
  }

  EvaluationLinks MakeOrDie(std::span<const LabelledLink> rows,
                            const KnownLinks& known, uint64_t seed = 3) const {
    auto made = MakeEvaluationLinks(*snapshot_, rows, known, seed);
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }
  KnownLinks Known() const {
    const std::span<const LabelledLink> files[] = {rows_};
    return KnownLinks(files);
  }

  std::shared_ptr<const GraphSnapshot> snapshot_;
  std::vector<LabelledLink> rows_;
};

TEST_P(EvaluationLinksTest, PublishedSetIsTheFile) {
  const EvaluationLinks made = MakeOrDie(rows_, Known());
  const auto positions = made.PositionsOf(NegativeSet::kPublished);
  ASSERT_EQ(positions.size(), rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    EXPECT_EQ(positions[i], i);
    EXPECT_EQ(made.links[i], rows_[i].link);
    EXPECT_EQ(made.labels[i], rows_[i].positive ? 1 : 0);
    EXPECT_EQ(made.made_from[i], rows_[i].link);
  }
}

TEST_P(EvaluationLinksTest, MadeNegativesKeepTheSourceAndAreNoLinks) {
  const EvaluationLinks made = MakeOrDie(rows_, Known());
  const std::vector<Link> positives = Positives(rows_);
  for (const NegativeSet set :
       {NegativeSet::kTyped, NegativeSet::kDegreeMatched}) {
    size_t negatives = 0;
    for (const uint32_t i : made.PositionsOf(set)) {
      const Link& link = made.links[i];
      if (made.labels[i]) {
        EXPECT_EQ(made.made_from[i], link);
        continue;
      }
      ++negatives;
      const Link& from = made.made_from[i];
      EXPECT_NE(std::find(positives.begin(), positives.end(), from),
                positives.end());
      EXPECT_EQ(link.source, from.source);
      EXPECT_EQ(link.relation, from.relation);
      EXPECT_FALSE(snapshot_->HasLink(link));
      EXPECT_EQ(std::find(positives.begin(), positives.end(), link),
                positives.end());
      // The target fills the slot somewhere in the graph.
      EXPECT_GT(snapshot_->Neighbors(link.target, link.relation, Direction::kIn)
                    .size(),
                0u);
    }
    EXPECT_EQ(negatives + made.dropped[static_cast<size_t>(set)],
              positives.size());
    EXPECT_GT(negatives, 0u);
  }
}

TEST_P(EvaluationLinksTest, TypedNonLinksAreMadeFromThoseOfTheFile) {
  const EvaluationLinks made = MakeOrDie(rows_, Known());
  size_t of_file = 0, negatives = 0;
  for (const LabelledLink& row : rows_) of_file += !row.positive;
  for (const uint32_t i : made.PositionsOf(NegativeSet::kTypedNonLinks)) {
    if (made.labels[i]) continue;
    ++negatives;
    const Link& link = made.links[i];
    const Link& from = made.made_from[i];
    EXPECT_EQ(link.source, from.source);
    EXPECT_EQ(link.relation, from.relation);
    EXPECT_FALSE(snapshot_->HasLink(link));
    EXPECT_FALSE(Known().Contains(link) || Known().Contains(from));
    EXPECT_FALSE(
        snapshot_->Neighbors(link.target, link.relation, Direction::kIn)
            .empty());
  }
  EXPECT_EQ(negatives + made.dropped[3], of_file);
}

TEST_P(EvaluationLinksTest, LinksOfOtherHeldOutFilesAreNoNegatives) {
  const EvaluationLinks before = MakeOrDie(rows_, Known());
  // What was drawn becomes known: nothing of it may be drawn again.
  std::vector<LabelledLink> drawn;
  for (size_t i = before.published; i < before.size(); ++i) {
    drawn.push_back({before.links[i], true});
  }
  const std::span<const LabelledLink> files[] = {rows_, drawn};
  const EvaluationLinks after = MakeOrDie(rows_, KnownLinks(files));
  EXPECT_EQ(after.size(), rows_.size());
  EXPECT_EQ(after.dropped[1] + after.dropped[2] + after.dropped[3],
            rows_.size() + Positives(rows_).size());
}

TEST_P(EvaluationLinksTest, TheOrderOfRowsDoesNotMatter) {
  std::vector<LabelledLink> reversed(rows_.rbegin(), rows_.rend());
  const EvaluationLinks one = MakeOrDie(rows_, Known());
  const EvaluationLinks other = MakeOrDie(reversed, Known());
  EXPECT_EQ(std::multiset<Link>(one.links.begin(), one.links.end()),
            std::multiset<Link>(other.links.begin(), other.links.end()));
}

TEST_P(EvaluationLinksTest, TheSeedDecidesTheDraws) {
  EXPECT_EQ(MakeOrDie(rows_, Known(), 5).links,
            MakeOrDie(rows_, Known(), 5).links);
  EXPECT_NE(MakeOrDie(rows_, Known(), 5).links,
            MakeOrDie(rows_, Known(), 6).links);
}

INSTANTIATE_TEST_SUITE_P(Graphs, EvaluationLinksTest, ::testing::Range(0, 6));

// Relation 0: node 1 is the target of 8 links, node 2 of one.
GraphData SkewedGraph() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"likes"};
  for (int i = 0; i < 2000; ++i) {
    data.catalogue.nodes.push_back({std::to_string(i), "", 0});
  }
  for (NodeId i = 10; i < 18; ++i) data.links.push_back({i, 0, 1});
  data.links.push_back({18, 0, 2});
  return data;
}

TEST(CheckBothLabelsTest, NamesTheFileThatLacksOne) {
  std::vector<LabelledLink> rows(3, {{0, 0, 1}, true});
  const absl::Status status = CheckBothLabels(rows, "some/test.txt");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "some/test.txt has 3 links labelled 1 and 0 labelled 0; to measure "
            "anything, it needs rows of both labels. Add pairs without a link, "
            "labelled 0, or give all links to fit --links, which draws such "
            "pairs");
  EXPECT_FALSE(CheckBothLabels({}, "none").ok());
  rows[1].positive = false;
  EXPECT_TRUE(CheckBothLabels(rows, "some/test.txt").ok());
}

TEST(EvaluationLinkDrawsTest, TypedDrawsAreUniformAndDegreeMatchedOnesAreNot) {
  const auto snapshot = BuildSnapshotOrDie(SkewedGraph());
  std::vector<LabelledLink> rows;
  for (NodeId i = 100; i < 1900; ++i) rows.push_back({{i, 0, 5}, true});
  const auto made = MakeEvaluationLinks(*snapshot, rows, KnownLinks(), 1);
  ASSERT_TRUE(made.ok()) << made.status();
  std::map<NodeId, int> drawn[kNegativeSets];
  for (const NegativeSet set :
       {NegativeSet::kTyped, NegativeSet::kDegreeMatched}) {
    for (const uint32_t i : made->PositionsOf(set)) {
      if (!made->labels[i]) {
        ++drawn[static_cast<int>(set)][made->links[i].target];
      }
    }
  }
  // 1,800 draws: 900 and 900 against 1,600 and 200; six deviations apart.
  EXPECT_EQ(drawn[1][1] + drawn[1][2], 1800);
  EXPECT_NEAR(drawn[1][1], 900, 130);
  EXPECT_EQ(drawn[2][1] + drawn[2][2], 1800);
  EXPECT_NEAR(drawn[2][1], 1600, 80);
}

TEST(EvaluationLinkDrawsTest, ARelationWithoutLinksGivesNoMadeNegatives) {
  GraphData data = SkewedGraph();
  data.catalogue.relations.push_back("knows");
  const auto snapshot = BuildSnapshotOrDie(data);
  const LabelledLink rows[] = {{{1, 1, 2}, true}, {{1, 1, 3}, false}};
  const auto made = MakeEvaluationLinks(*snapshot, rows, KnownLinks(), 1);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->size(), 2u);
  EXPECT_EQ(made->dropped[1], 1u);
}

TEST(KnownLinksTest, AnswersAreTheLinksThatItContains) {
  Random random(4);
  std::vector<LabelledLink> rows[2];
  for (size_t i = 0; i < 300; ++i) {
    rows[i % 2].push_back(
        {{random.Below(12), RelationId(random.Below(3)), random.Below(12)},
         random.Below(4) > 0});
  }
  const std::vector<std::span<const LabelledLink>> files = {rows[0], rows[1]};
  const KnownLinks known(files);
  for (NodeId anchor = 0; anchor < 13; ++anchor) {
    for (RelationId relation = 0; relation < 4; ++relation) {
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        const EndQuestion question{anchor, relation, direction};
        std::vector<NodeId> expected;
        for (NodeId node = 0; node < 13; ++node) {
          if (known.Contains(question.With(node))) expected.push_back(node);
        }
        EXPECT_EQ(known.AnswersTo(question), expected);
      }
    }
  }
}

}  // namespace
}  // namespace slice
