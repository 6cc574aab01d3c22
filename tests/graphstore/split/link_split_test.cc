#include "graphstore/split/link_split.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "graphstore/split/split_negatives.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// A graph with several links between some pairs, in both directions, and one
// rare relation.
SplitInput RandomInput(uint64_t seed, int nodes = 40, int links = 600) {
  Random random(seed);
  std::set<Link> drawn;
  while (static_cast<int>(drawn.size()) < links) {
    const auto source = static_cast<NodeId>(random.Below(nodes));
    const auto target = static_cast<NodeId>(random.Below(nodes));
    drawn.insert({source, static_cast<RelationId>(random.Below(3)), target});
  }
  drawn.insert({1, 3, 2});
  SplitInput input;
  for (int i = 0; i < nodes; ++i) input.keys.push_back(absl::StrCat("n", i));
  input.relations = {"a", "b", "c", "rare"};
  input.links.assign(drawn.begin(), drawn.end());
  for (size_t i = 0; i < input.links.size(); ++i)
    input.first_seen.push_back(random.Below(300));
  return input;
}

std::vector<SplitPart> SplitOrDie(const SplitInput& input,
                                  const SplitOptions& options) {
  auto parts = SplitLinks(input, options);
  EXPECT_TRUE(parts.ok()) << parts.status();
  return parts.ok() ? *parts : std::vector<SplitPart>(input.links.size());
}

size_t CountOf(const std::vector<SplitPart>& parts, SplitPart part) {
  return std::count(parts.begin(), parts.end(), part);
}

class LinkSplitTest : public testing::TestWithParam<uint64_t> {};

TEST_P(LinkSplitTest, AllLinksOfAPairAreOnOneSide) {
  const SplitInput input = RandomInput(GetParam());
  SplitOptions options;
  options.seed = GetParam();
  const auto parts = SplitOrDie(input, options);
  std::map<std::pair<NodeId, NodeId>, std::set<SplitPart>> by_pair;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Link& link = input.links[i];
    by_pair[std::minmax({link.source, link.target})].insert(parts[i]);
  }
  for (const auto& [pair, sides] : by_pair) EXPECT_EQ(sides.size(), 1);
  // A pair has 15 links at most, so that much a part may be beyond its share.
  EXPECT_NEAR(CountOf(parts, SplitPart::kTest), 60, 15);
  EXPECT_NEAR(CountOf(parts, SplitPart::kValid), 60, 15);
  EXPECT_EQ(CountOf(parts, SplitPart::kNone), 0);
}

TEST_P(LinkSplitTest, EveryRelationOfAHeldOutLinkIsInTrain) {
  for (const SplitRule rule : {SplitRule::kRandom, SplitRule::kTime,
                               SplitRule::kNewest, SplitRule::kNodes}) {
    const SplitInput input = RandomInput(GetParam());
    SplitOptions options;
    options.rule = rule;
    options.seed = GetParam();
    const auto parts = SplitOrDie(input, options);
    std::set<RelationId> trained;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] == SplitPart::kTrain)
        trained.insert(input.links[i].relation);
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(parts[i] == SplitPart::kNone,
                !trained.contains(input.links[i].relation));
    }
  }
}

TEST_P(LinkSplitTest, NothingInTrainIsAsNewAsAHeldOutLink) {
  const SplitInput input = RandomInput(GetParam());
  SplitOptions options;
  options.rule = SplitRule::kTime;
  const auto parts = SplitOrDie(input, options);
  double newest[3] = {-1, -1, -1}, oldest[3] = {1e9, 1e9, 1e9};
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == SplitPart::kNone) continue;
    const auto part = static_cast<size_t>(parts[i]);
    newest[part] = std::max(newest[part], input.first_seen[i]);
    oldest[part] = std::min(oldest[part], input.first_seen[i]);
  }
  EXPECT_LT(newest[0], oldest[1]);
  EXPECT_LT(newest[1], oldest[2]);
  EXPECT_NEAR(CountOf(parts, SplitPart::kTest), 60, 6);
}

TEST_P(LinkSplitTest, WholeSourcesAreHeldOut) {
  const SplitInput input = RandomInput(GetParam());
  for (const char* relation : {"", "b"}) {
    SplitOptions options;
    options.rule = SplitRule::kNodes;
    options.relation = relation;
    options.seed = GetParam();
    const auto parts = SplitOrDie(input, options);
    std::map<NodeId, std::set<SplitPart>> by_source;
    for (size_t i = 0; i < parts.size(); ++i) {
      const Link& link = input.links[i];
      const bool asked =
          options.relation.empty() || input.relations[link.relation] == "b";
      if (!asked) EXPECT_EQ(parts[i], SplitPart::kTrain);
      if (asked && parts[i] != SplitPart::kNone)
        by_source[link.source].insert(parts[i]);
    }
    size_t held_out = 0;
    for (const auto& [source, sides] : by_source) {
      EXPECT_EQ(sides.size(), 1);
      held_out += *sides.begin() != SplitPart::kTrain;
    }
    EXPECT_EQ(held_out, 8);  // a tenth of 40 sources for each part
  }
}

TEST_P(LinkSplitTest, AnotherSeedIsAnotherSplitAndNothingElseIs) {
  const SplitInput input = RandomInput(GetParam());
  SplitOptions options;
  options.seed = GetParam();
  const auto first = SplitOrDie(input, options);
  EXPECT_EQ(SplitOrDie(input, options), first);
  options.seed = GetParam() + 1;
  EXPECT_NE(SplitOrDie(input, options), first);
}

// Against the definition: a non-link is no link of any part, is not repeated,
// and comes by the kinds that the header names.
TEST_P(LinkSplitTest, NonLinksAreNoLinksOfAnyPart) {
  const SplitInput input = RandomInput(GetParam(), 400);
  SplitOptions options;
  options.valid_share = 0.4;
  options.test_share = 0.1;
  const auto parts = SplitOrDie(input, options);
  const SplitNegatives drawn =
      DrawNegatives(input, parts, SplitPart::kValid, GetParam());
  EXPECT_EQ(drawn.links.size() + drawn.missing,
            CountOf(parts, SplitPart::kValid));
  EXPECT_EQ(drawn.missing, 0);
  const std::set<Link> distinct(drawn.links.begin(), drawn.links.end());
  EXPECT_EQ(distinct.size(), drawn.links.size());
  std::set<std::pair<RelationId, NodeId>> sources, targets;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Link& link = input.links[i];
    if (parts[i] == SplitPart::kValid)
      sources.insert({link.relation, link.source});
    if (parts[i] == SplitPart::kTrain)
      targets.insert({link.relation, link.target});
  }
  size_t kept = 0, in_slot = 0;
  for (const Link& link : drawn.links) {
    EXPECT_FALSE(
        std::binary_search(input.links.begin(), input.links.end(), link));
    kept += sources.contains({link.relation, link.source});
    in_slot += targets.contains({link.relation, link.target});
  }
  // Half are in the slot by design, others by chance; three quarters keep the
  // source.
  EXPECT_GT(in_slot, drawn.links.size() * 45 / 100);
  EXPECT_LT(in_slot, drawn.links.size() * 80 / 100);
  EXPECT_GT(kept, drawn.links.size() * 65 / 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LinkSplitTest, testing::Values(1, 2, 3));

TEST(LinkSplitErrorTest, TooFewLinksAreNamed) {
  SplitInput input;
  input.keys = {"a", "b"};
  input.relations = {"r"};
  input.links = {{0, 0, 1}, {1, 0, 0}};
  const auto parts = SplitLinks(input, {});
  EXPECT_EQ(parts.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      std::string(parts.status().message()),
      HasSubstr("2 different links are too few to split: pairs of nodes: 1"));
  input.keys = {"a", "b", "c", "d"};
  input.relations = {"p", "q", "r"};
  input.links = {{0, 0, 1}, {1, 1, 2}, {2, 2, 3}};
  EXPECT_THAT(std::string(SplitLinks(input, {}).status().message()),
              HasSubstr("a relation needs a link in train"));
}

// The graph of `input` with the links for which `keep` is true, its nodes
// numbered backwards.
std::shared_ptr<const GraphSnapshot> GraphOfLinks(
    const SplitInput& input, const std::function<bool(size_t)>& keep) {
  const auto last = static_cast<NodeId>(input.keys.size() - 1);
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = input.relations;
  for (auto key = input.keys.rbegin(); key != input.keys.rend(); ++key)
    data.catalogue.nodes.push_back({*key, *key, 0});
  for (size_t i = 0; i < input.links.size(); ++i) {
    const Link& link = input.links[i];
    if (keep(i))
      data.links.push_back(
          {last - link.source, link.relation, last - link.target});
  }
  return BuildSnapshotOrDie(data);
}

TEST_P(LinkSplitTest, LearnedLinksStayInTrain) {
  const SplitInput input = RandomInput(GetParam(), 400, 2000);
  const auto is_learned = [&](size_t i) {
    return input.links[i].source % 4 != 0;
  };
  for (const SplitRule rule : {SplitRule::kRandom, SplitRule::kTime,
                               SplitRule::kNewest, SplitRule::kNodes}) {
    SplitOptions options;
    options.rule = rule;
    options.seed = GetParam();
    options.valid_share = options.test_share = 0.2;  // of a quarter
    options.learned = GraphOfLinks(input, is_learned);
    const auto parts = SplitOrDie(input, options);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!is_learned(i)) continue;
      EXPECT_EQ(parts[i], SplitPart::kTrain);
    }
    EXPECT_NEAR(CountOf(parts, SplitPart::kTest), 100, 35);
    EXPECT_NEAR(CountOf(parts, SplitPart::kValid), 100, 35);
  }
}

TEST_P(LinkSplitTest, FewLinksBesideTheLearnedOnesAreSharedOut) {
  const SplitInput input = RandomInput(GetParam());
  SplitOptions options;
  options.rule = SplitRule::kNewest;
  options.learned = GraphOfLinks(input, [](size_t i) { return i >= 10; });
  const auto parts = SplitOrDie(input, options);
  EXPECT_EQ(CountOf(parts, SplitPart::kTest), 1);
  EXPECT_EQ(CountOf(parts, SplitPart::kValid), 1);
}

TEST_P(LinkSplitTest, OneLinkBesideTheLearnedOnesIsTooFew) {
  const SplitInput input = RandomInput(GetParam());
  SplitOptions options;
  options.learned = GraphOfLinks(input, [](size_t i) { return i > 0; });
  for (const SplitRule rule :
       {SplitRule::kRandom, SplitRule::kNewest, SplitRule::kNodes}) {
    options.rule = rule;
    const auto parts = SplitLinks(input, options);
    EXPECT_EQ(parts.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(parts.status().message()), HasSubstr("--new-to"));
  }
}

TEST(LinkSplitErrorTest, OneTimeCannotBeSplit) {
  SplitInput input = RandomInput(1);
  std::fill(input.first_seen.begin(), input.first_seen.end(), 5);
  SplitOptions options;
  options.rule = SplitRule::kTime;
  EXPECT_THAT(std::string(SplitLinks(input, options).status().message()),
              HasSubstr("different times: 1"));
}

TEST(LinkSplitErrorTest, AnUnknownRelationIsNamed) {
  SplitOptions options;
  options.rule = SplitRule::kNodes;
  options.relation = "x";
  EXPECT_EQ(std::string(SplitLinks(RandomInput(1), options).status().message()),
            "the file has no relation 'x'; there is 'a', 'b', 'c', 'rare'");
}

}  // namespace
}  // namespace slice
