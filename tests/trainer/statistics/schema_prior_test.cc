#include "trainer/statistics/schema_prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "tests/testing/two_kinds_graph.h"

namespace slice {
namespace {

// `users` like `things`: all users like thing 0; with `loop`, one user likes
// itself.
std::shared_ptr<const GraphSnapshot> Likes(int users, bool loop) {
  GraphData data;
  data.catalogue.node_types = {"user", "thing"};
  data.catalogue.relations = {"likes", "unused"};
  for (int i = 0; i < users; ++i) {
    data.catalogue.nodes.push_back({"u" + std::to_string(i), "", 0});
  }
  data.catalogue.nodes.push_back({"t", "", 1});
  for (int i = 0; i < users; ++i) {
    data.links.push_back(
        {static_cast<NodeId>(i), 0, static_cast<NodeId>(users)});
  }
  if (loop) data.links.push_back({0, 0, 0});
  return BuildSnapshotOrDie(data);
}

// The closed form for one relation with n links, none of them off schema.
TEST(SchemaPriorTest, IsTheLogBayesFactorOfTrain) {
  const int n = 99;
  const auto graph = Likes(n, false);
  const auto priors = FitSchemaPriors(*graph);
  const double share = (0 + 1 * (0.5 / (n + 1))) / (n + 1);
  const double fits = (99.0 / 100) * (1.0 / 100);
  EXPECT_NEAR(priors[0].off_schema, std::log(share / (1 - fits)), 1e-12);
  EXPECT_NEAR(priors[0].self, std::log(share / 1.0), 1e-12);
}

TEST(SchemaPriorTest, MoreLinksMakeImpossiblePairsLessLikely) {
  EXPECT_LT(FitSchemaPriors(*Likes(200, false))[0].off_schema,
            FitSchemaPriors(*Likes(20, false))[0].off_schema);
}

TEST(SchemaPriorTest, ARelationWithASelfLoopKeepsSelfPairsPossible) {
  EXPECT_EQ(FitSchemaPriors(*Likes(50, true))[0].self, 0);
  const auto graph = ToySnapshot();
  EXPECT_EQ(FitSchemaPriors(*graph)[ToyRelation(*graph, "suggests")].self, 0);
}

TEST(SchemaPriorTest, ARelationWithoutLinksHasNone) {
  const auto priors = FitSchemaPriors(*Likes(50, false));
  EXPECT_EQ(priors[1].self, 0);
  EXPECT_EQ(priors[1].off_schema, 0);
}

TEST(SchemaPriorTest, SlotsAloneMakeNothingImpossible) {
  const auto graph = TwoKindsGraph();
  for (const SchemaPrior& prior : FitSchemaPriors(*graph)) {
    EXPECT_EQ(prior.off_schema, 0);
    EXPECT_LE(prior.self, 0);
  }
}

// Where new types keep coming, a pair off schema is nothing unusual.
TEST(SchemaPriorTest, TypesSeenOnceWeakenThePrior) {
  GraphData data;
  data.catalogue.relations = {"likes"};
  for (int i = 0; i < 40; ++i) {
    data.catalogue.node_types.push_back("t" + std::to_string(i));
    data.catalogue.nodes.push_back(
        {"n" + std::to_string(i), "", static_cast<NodeTypeId>(i)});
  }
  for (NodeId i = 0; i + 1 < 40; i += 2) data.links.push_back({i, 0, i + 1});
  const auto priors = FitSchemaPriors(*BuildSnapshotOrDie(data));
  EXPECT_GT(priors[0].off_schema, -0.1);
}

}  // namespace
}  // namespace slice
