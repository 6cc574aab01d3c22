#include "trainer/learning/training_view.h"

#include <gtest/gtest.h>

#include "common/random.h"
#include "context/link_encoder.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

bool SamePair(const Link& a, const Link& b) {
  return std::minmax(a.source, a.target) == std::minmax(b.source, b.target);
}

// What an example must not see, by the rules and not by the view.
bool MustNotSee(const TrainingExample& example, bool hide_pair,
                const Link& link) {
  const auto is_asked = [&](const Link& asked) {
    return hide_pair ? SamePair(asked, link) : asked == link;
  };
  return is_asked(example.link) ||
         (example.shares_end && is_asked(example.made_from)) ||
         (example.hide_relation && link.source == example.link.source &&
          link.relation == example.link.relation);
}

struct Trained {
  GraphData data;
  std::shared_ptr<const GraphSnapshot> graph;
  std::unique_ptr<NegativeSampler> sampler;
  std::vector<TrainingExample> examples;
};

Trained MakeExamples(uint64_t seed) {
  Trained made;
  made.data = RandomMultigraph({}, seed);
  made.graph = BuildSnapshotOrDie(made.data);
  NegativeMix mix;
  mix.source_kept = mix.target_kept = 1;
  made.sampler = *NegativeSampler::Create(*made.graph, mix);
  TrainingExampleOptions options;
  options.negatives_per_positive = 2;
  options.unlinked_shares.assign(made.graph->relation_count(), 0.3);
  options.seed = seed;
  const TrainingExamples examples(made.graph.get(), made.sampler.get(),
                                  AllLinks(*made.graph), options);
  for (const Link& positive : examples.EpochPositives(0, 25)) {
    for (const TrainingExample& example : examples.Expand(positive, 0)) {
      made.examples.push_back(example);
    }
  }
  return made;
}

LinkEncoder EncoderFor(const GraphSnapshot& graph, ContextStrategy strategy,
                       bool hide_pair) {
  LinkEncoderOptions options;
  options.context.strategy = strategy;
  options.own_pair_links =
      hide_pair ? OwnPairLinks::kHide : OwnPairLinks::kReveal;
  return LinkEncoder(options, graph.relation_count(), graph.node_type_count(),
                     EncoderTables{});
}

// Every feature and every context of every kind of example, positives and
// negatives of all sorts, equals the one computed on a graph rebuilt without
// what the example must not see.
TEST(TrainingView, ShowsWhatAGraphRebuiltWithoutTheHiddenShows) {
  size_t compared = 0;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const Trained made = MakeExamples(seed);
    for (const bool hide_pair : {true, false}) {
      for (const TrainingExample& example : made.examples) {
        const auto rebuilt =
            BuildSnapshotOrDie(RebuildWithout(made.data, [&](const Link& link) {
              return MustNotSee(example, hide_pair, link);
            }));
        const TrainingView view(*made.graph, example, hide_pair);
        for (const ContextStrategy strategy :
             {ContextStrategy::kTypedPaths, ContextStrategy::kShortestPaths}) {
          const LinkEncoder encoder =
              EncoderFor(*made.graph, strategy, hide_pair);
          const EncodedLink seen = encoder.Encode(view, example.link);
          const EncodedLink expected =
              encoder.Encode(GraphView(*rebuilt), example.link);
          EXPECT_EQ(seen.pair_features, expected.pair_features);
          EXPECT_EQ(seen.contexts, expected.contexts);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 2000u);
}

// The planted leak is seen by the same comparison: the features of many
// positives tell that their own link is there.
TEST(TrainingView, APlantedOwnLinkShowsInTheFeatures) {
  const Trained made = MakeExamples(1);
  const LinkEncoder encoder =
      EncoderFor(*made.graph, ContextStrategy::kTypedPaths, true);
  size_t positives = 0, told = 0;
  for (const TrainingExample& example : made.examples) {
    if (!example.positive) continue;
    ++positives;
    const TrainingView clean(*made.graph, example, true);
    const TrainingView leaky(*made.graph, example, true, PlantedLeak::kOwnLink);
    told += encoder.Encode(clean, example.link).pair_features !=
            encoder.Encode(leaky, example.link).pair_features;
    EXPECT_TRUE(
        clean.ArcsBetween(example.link.source, example.link.target).empty());
    EXPECT_TRUE(leaky.HasLink(example.link));
  }
  EXPECT_EQ(told, positives);
}

// Without the leak negatives come from the whole catalogue, lonely nodes
// included; with it they never do.
TEST(TrainingView, NegativesFromSeenNodesAloneAreToldFromHonestOnes) {
  RandomMultigraphOptions sparse;
  sparse.nodes = 60;
  sparse.links = 40;
  const auto graph = BuildSnapshotOrDie(RandomMultigraph(sparse, 3));
  const auto sampler = *NegativeSampler::Create(*graph, NegativeMix{});
  const GraphView all(*graph);
  const auto lonely_negatives = [&](PlantedLeak leak) {
    TrainingExampleOptions options;
    options.negatives_per_positive = 5;
    options.among_kind_negatives = 0;
    options.leak = leak;
    const TrainingExamples examples(graph.get(), sampler.get(),
                                    AllLinks(*graph), options);
    int lonely = 0;
    for (const Link& positive : AllLinks(*graph)) {
      for (const TrainingExample& example : examples.Expand(positive, 0)) {
        lonely += all.ArcCount(example.link.source) == 0 ||
                  all.ArcCount(example.link.target) == 0;
      }
    }
    return lonely;
  };
  EXPECT_GT(lonely_negatives(PlantedLeak::kNone), 20);
  EXPECT_EQ(lonely_negatives(PlantedLeak::kSeenNegatives), 0);
}

// What hides a relation at a source reads factors of a graph in which no link
// of it is left there, nor another between the ends of one.
TEST(EraseSourcePart, LeavesNoLinkOfTheRelationAtItsSources) {
  const GraphData all = RandomMultigraph({}, 4);
  std::vector<double> shares(all.catalogue.relations.size(), 0.0);
  shares[1] = 0.4;
  size_t kept = 0;
  for (int part = 0; part < 2; ++part) {
    GraphData reduced = all;
    EraseSourcePart(part, 2, shares, &reduced);
    kept += reduced.links.size();
    const auto graph = BuildSnapshotOrDie(reduced);
    for (const Link& link : all.links) {
      const bool gone =
          link.relation == 1 && SourcePart(link.source, 2) == part;
      if (gone) {
        EXPECT_FALSE(graph->AreNeighbors(link.source, link.target));
        EXPECT_TRUE(graph->Neighbors(link.source, 1, Direction::kOut).empty());
      }
    }
  }
  EXPECT_GT(kept, all.links.size());  // the rest stays
}

TEST(PlantedLeak, HasNames) {
  EXPECT_EQ(*ParsePlantedLeak("own_link"), PlantedLeak::kOwnLink);
  EXPECT_EQ(ParsePlantedLeak("x").status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
