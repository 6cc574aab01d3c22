#include "trainer/learning/negative_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graphstore/schema_fit.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "tests/testing/two_kinds_graph.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<NegativeSampler> CreateOrDie(const GraphSnapshot& snapshot,
                                             const NegativeMix& mix) {
  auto sampler = NegativeSampler::Create(snapshot, mix);
  EXPECT_TRUE(sampler.ok()) << sampler.status();
  return *std::move(sampler);
}

// Only one kind.
NegativeMix Only(NegativeKind kind) {
  NegativeMix mix = {0, 0, 0, 0, 0, 0};
  double* const shares[] = {&mix.uniform,
                            &mix.source_kept,
                            &mix.target_kept,
                            &mix.type_matched,
                            &mix.degree_matched,
                            &mix.uniform_in_relation,
                            &mix.source_type_matched,
                            &mix.self,
                            &mix.off_schema};
  *shares[static_cast<int>(kind)] = 1;
  return mix;
}

// Node 0 likes 1 (by three others too), 2 and 3; 4 is nobody's.
//   relation 0: 0>1 5>1 6>1 7>1 0>2 5>3      relation 1: 4>0
GraphData LikesGraph() {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"likes", "knows", "unused"};
  for (int i = 0; i < 8; ++i) {
    data.catalogue.nodes.push_back({"n" + std::to_string(i), "", 0});
  }
  data.links = {{0, 0, 1}, {5, 0, 1}, {6, 0, 1}, {7, 0, 1},
                {0, 0, 2}, {5, 0, 3}, {4, 1, 0}};
  return data;
}

TEST(NegativeSamplerTest, NeverReturnsALink) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto snapshot =
        BuildSnapshotOrDie(RandomMultigraph({.nodes = 12, .links = 150}, seed));
    NegativeMix mix = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const auto sampler = CreateOrDie(*snapshot, mix);
    Random random(seed);
    for (RelationId relation = 0; relation < 4; ++relation) {
      for (int i = 0; i < 500; ++i) {
        const Link positive = {random.Below(12), relation, random.Below(12)};
        const NegativeSample sample = sampler->Sample(positive, random);
        ASSERT_FALSE(snapshot->HasLink(sample.link));
        ASSERT_EQ(sample.link.relation, relation);
        if (sample.keeps_source) {
          ASSERT_EQ(sample.link.source, positive.source);
        }
        if (sample.keeps_target) {
          ASSERT_EQ(sample.link.target, positive.target);
        }
      }
    }
  }
}

TEST(NegativeSamplerTest, KindsAreDrawnByTheirShares) {
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph({.nodes = 400, .links = 800}, 1));
  const NegativeMix mix = {2, 1, 0, 1, 0.5, 0.5};
  const auto sampler = CreateOrDie(*snapshot, mix);
  Random random(5);
  constexpr int kDraws = 20000;
  std::map<NegativeKind, double> counts;
  for (int i = 0; i < kDraws; ++i) {
    const Link positive = {random.Below(390), 0, random.Below(390)};
    ++counts[sampler->Sample(positive, random).kind];
  }
  EXPECT_EQ(counts[NegativeKind::kTargetKept], 0);
  EXPECT_NEAR(counts[NegativeKind::kUniform] / kDraws, 0.4, 0.02);
  EXPECT_NEAR(counts[NegativeKind::kSourceKept] / kDraws, 0.2, 0.02);
  EXPECT_NEAR(counts[NegativeKind::kTypeMatched] / kDraws, 0.2, 0.02);
  EXPECT_NEAR(counts[NegativeKind::kDegreeMatched] / kDraws, 0.1, 0.02);
  EXPECT_NEAR(counts[NegativeKind::kUniformInRelation] / kDraws, 0.1, 0.02);
}

// How often each target is drawn for a source without links of relation 0.
std::map<NodeId, double> TargetShares(NegativeKind kind) {
  const auto snapshot = BuildSnapshotOrDie(LikesGraph());
  const auto sampler = CreateOrDie(*snapshot, Only(kind));
  Random random(6);
  std::map<NodeId, double> shares;
  for (int i = 0; i < 12000; ++i) {
    shares[sampler->Sample({4, 0, 1}, random).link.target] += 1 / 12000.0;
  }
  return shares;
}

TEST(NegativeSamplerTest, TypeMatchedTargetsAreEquallyLikely) {
  const auto shares = TargetShares(NegativeKind::kTypeMatched);
  ASSERT_EQ(shares.size(), 3u);
  for (const NodeId target : {1, 2, 3}) {
    EXPECT_NEAR(shares.at(target), 1 / 3.0, 0.03);
  }
}

TEST(NegativeSamplerTest, DegreeMatchedTargetsFollowTheirLinks) {
  const auto shares = TargetShares(NegativeKind::kDegreeMatched);
  ASSERT_EQ(shares.size(), 3u);
  EXPECT_NEAR(shares.at(1), 4 / 6.0, 0.03);
  EXPECT_NEAR(shares.at(2), 1 / 6.0, 0.03);
}

TEST(NegativeSamplerTest, SelfPairsTakeEitherEnd) {
  const auto snapshot = BuildSnapshotOrDie(LikesGraph());
  const auto sampler = CreateOrDie(*snapshot, Only(NegativeKind::kSelf));
  Random random(7);
  std::set<NodeId> ends;
  for (int i = 0; i < 100; ++i) {
    const NegativeSample sample = sampler->Sample({0, 0, 1}, random);
    EXPECT_EQ(sample.kind, NegativeKind::kSelf);
    EXPECT_EQ(sample.link.source, sample.link.target);
    EXPECT_NE(sample.keeps_source, sample.keeps_target);
    EXPECT_EQ(sample.link.source, sample.keeps_source ? 0 : 1);
    ends.insert(sample.link.source);
  }
  EXPECT_EQ(ends, (std::set<NodeId>{0, 1}));
}

TEST(NegativeSamplerTest, ARelationWithASelfLoopGetsNoSelfPairs) {
  GraphData data = LikesGraph();
  data.links.push_back({3, 0, 3});
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto sampler = CreateOrDie(*snapshot, Only(NegativeKind::kSelf));
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(sampler->Sample({0, 0, 1}, random).kind, NegativeKind::kUniform);
    EXPECT_EQ(sampler->Sample({4, 1, 0}, random).kind, NegativeKind::kSelf);
  }
}

TEST(NegativeSamplerTest, PairsOffSchemaKeepOneEndAndDoNotFit) {
  for (const auto& snapshot : {TwoKindsGraph(), ToySnapshot()}) {
    const auto sampler = CreateOrDie(*snapshot, Only(NegativeKind::kOffSchema));
    Random random(9);
    int drawn = 0;
    for (int i = 0; i < 300; ++i) {
      const auto node = [&] { return random.Below(snapshot->node_count()); };
      const Link positive = {node(), 0, node()};
      const NegativeSample sample = sampler->Sample(positive, random);
      if (sample.kind != NegativeKind::kOffSchema) continue;
      ++drawn;
      EXPECT_FALSE(FitsSchema(*snapshot, snapshot->schema(), sample.link));
      EXPECT_TRUE(sample.link.source == positive.source ||
                  sample.link.target == positive.target);
    }
    EXPECT_GT(drawn, 100);
  }
}

TEST(NegativeSamplerTest, UniformTargetsCoverTheWholeCatalogue) {
  const auto shares = TargetShares(NegativeKind::kSourceKept);
  ASSERT_EQ(shares.size(), 8u);
  for (const auto& [target, share] : shares) EXPECT_NEAR(share, 0.125, 0.02);
}

TEST(NegativeSamplerTest, InRelationEndsHaveTheRelation) {
  const auto snapshot = BuildSnapshotOrDie(LikesGraph());
  const auto sampler =
      CreateOrDie(*snapshot, Only(NegativeKind::kUniformInRelation));
  Random random(7);
  std::set<NodeId> ends;
  for (int i = 0; i < 2000; ++i) {
    const NegativeSample sample = sampler->Sample({0, 0, 1}, random);
    ends.insert({sample.link.source, sample.link.target});
  }
  EXPECT_EQ(ends, (std::set<NodeId>{0, 1, 2, 3, 5, 6, 7}));
}

TEST(NegativeSamplerTest, FullSlotFallsBackToAWiderKind) {
  GraphData data = LikesGraph();
  data.links.push_back({0, 0, 3});  // now 0 likes all that is liked
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto sampler = CreateOrDie(*snapshot, Only(NegativeKind::kTypeMatched));
  Random random(8);
  const NegativeSample sample = sampler->Sample({0, 0, 1}, random);
  EXPECT_EQ(sample.kind, NegativeKind::kSourceKept);
  EXPECT_TRUE(sample.keeps_source);
}

TEST(NegativeSamplerTest, RelationWithoutLinksFallsBack) {
  const auto snapshot = BuildSnapshotOrDie(LikesGraph());
  Random random(8);
  for (const NegativeKind kind :
       {NegativeKind::kTypeMatched, NegativeKind::kUniformInRelation}) {
    const auto sampler = CreateOrDie(*snapshot, Only(kind));
    EXPECT_NE(sampler->Sample({0, 2, 1}, random).kind, kind);
    EXPECT_FALSE(sampler->Draw(kind, {0, 2, 1}, random).has_value());
  }
}

TEST(NegativeSamplerTest, LastGapIsFound) {
  // All pairs of three nodes but 2 > 1.
  GraphData data = LikesGraph();
  data.catalogue.nodes.resize(3);
  data.links.clear();
  for (NodeId a = 0; a < 3; ++a) {
    for (NodeId b = 0; b < 3; ++b) {
      if (a != 2 || b != 1) data.links.push_back({a, 0, b});
    }
  }
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto sampler = CreateOrDie(*snapshot, Only(NegativeKind::kSourceKept));
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(sampler->Sample({0, 0, 1}, random).link, (Link{2, 0, 1}));
  }
}

TEST(NegativeSamplerTest, CompleteRelationIsRefused) {
  GraphData data = LikesGraph();
  data.catalogue.nodes.resize(1);
  data.links = {{0, 1, 0}};
  const auto snapshot = BuildSnapshotOrDie(data);
  const absl::Status status =
      NegativeSampler::Create(*snapshot, NegativeMix()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("knows"));
}

TEST(NegativeSamplerTest, BadMixIsRefused) {
  const auto snapshot = BuildSnapshotOrDie(LikesGraph());
  NegativeMix negative;
  negative.source_kept = -0.5;
  for (const NegativeMix& mix : {NegativeMix{0, 0, 0, 0, 0, 0}, negative}) {
    EXPECT_EQ(NegativeSampler::Create(*snapshot, mix).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

// A labelled file over 500 nodes, of which relation 0 has the first 200, with
// one negative for each positive, drawn by `draw`.
template <typename Draw>
NegativeMix EstimateFrom(Draw draw) {
  Random random(10);
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"link"};
  for (int i = 0; i < 500; ++i) {
    data.catalogue.nodes.push_back({"n" + std::to_string(i), "", 0});
  }
  for (NodeId i = 0; i < 200; ++i) {
    data.links.push_back({i, 0, random.Below(200)});
  }
  std::vector<LabelledLink> valid;
  for (int i = 0; i < 400; ++i) {
    const Link positive = {random.Below(40), 0, 40 + random.Below(100)};
    valid.push_back({positive, true});
    valid.push_back({draw(positive, random), false});
  }
  const auto snapshot = BuildSnapshotOrDie(data);
  return EstimateNegativeMix(*snapshot, valid, 0.2);
}

TEST(EstimateNegativeMixTest, SeesKeptSources) {
  const NegativeMix mix =
      EstimateFrom([](const Link& positive, Random& random) {
        return Link{positive.source, 0, random.Below(500)};
      });
  EXPECT_DOUBLE_EQ(mix.source_kept, 1);
  EXPECT_NEAR(mix.uniform + mix.uniform_in_relation + mix.target_kept, 0,
              1e-12);
  EXPECT_EQ(mix.type_matched, 0.2);
}

TEST(EstimateNegativeMixTest, SeesHalfOfEitherEndKept) {
  const NegativeMix mix =
      EstimateFrom([](const Link& positive, Random& random) {
        return random.Below(2) == 0
                   ? Link{positive.source, 0, random.Below(500)}
                   : Link{random.Below(500), 0, positive.target};
      });
  EXPECT_NEAR(mix.source_kept, 0.5, 0.06);
  EXPECT_NEAR(mix.target_kept, 0.5, 0.06);
}

TEST(EstimateNegativeMixTest, SeesTargetsThatAreAllTargetsOfTheRelation) {
  // Relation 0 leads from the first 200 of 500 nodes to the next 50.
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"tagged"};
  for (int i = 0; i < 500; ++i) {
    data.catalogue.nodes.push_back({"n" + std::to_string(i), "", 0});
  }
  for (NodeId i = 0; i < 200; ++i) data.links.push_back({i, 0, 200 + i % 50});
  Random random(11);
  std::vector<LabelledLink> valid;
  for (int i = 0; i < 400; ++i) {
    const NodeId source = random.Below(200);
    valid.push_back({{source, 0, 200 + random.Below(10)}, true});
    valid.push_back({{source, 0, 200 + random.Below(50)}, false});
  }
  const NegativeMix mix =
      EstimateNegativeMix(*BuildSnapshotOrDie(data), valid, 0.2);
  EXPECT_DOUBLE_EQ(mix.type_matched, 1.2);
  EXPECT_DOUBLE_EQ(mix.source_kept, 0);
}

TEST(EstimateNegativeMixTest, SeesUniformEnds) {
  const NegativeMix mix = EstimateFrom([](const Link&, Random& random) {
    return Link{random.Below(500), 0, random.Below(500)};
  });
  EXPECT_DOUBLE_EQ(mix.uniform, 1);
}

TEST(EstimateNegativeMixTest, SeesEndsDrawnWithinTheRelation) {
  const NegativeMix mix = EstimateFrom([](const Link&, Random& random) {
    return Link{random.Below(200), 0, random.Below(200)};
  });
  EXPECT_DOUBLE_EQ(mix.uniform_in_relation, 1);
  EXPECT_DOUBLE_EQ(mix.uniform, 0);
}

TEST(EstimateNegativeMixTest, FileWithoutNegativesGivesTheDefault) {
  const auto snapshot = BuildSnapshotOrDie(LikesGraph());
  const std::vector<LabelledLink> valid = {{{0, 0, 4}, true}};
  const NegativeMix mix = EstimateNegativeMix(*snapshot, valid);
  EXPECT_EQ(mix.uniform, 1);
  EXPECT_EQ(mix.type_matched, 0.1);
}

}  // namespace
}  // namespace slice
