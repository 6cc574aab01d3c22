#include "trainer/learning/training_examples.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

LinkEncoder EncoderFor(const GraphSnapshot& graph, bool hide_pair = true) {
  LinkEncoderOptions options;
  options.hide_pair = hide_pair;
  return LinkEncoder(options, graph.relation_count(), graph.node_type_count(),
                     EncoderTables{});
}

class TrainingExamplesTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  TrainingExamples Make(double unlinked_share, int negatives = 3) {
    TrainingExampleOptions options;
    options.negatives_per_positive = negatives;
    options.unlinked_shares.assign(graph_->relation_count(), unlinked_share);
    options.seed = GetParam();
    return TrainingExamples(graph_.get(), sampler_.get(), AllLinks(*graph_),
                            options);
  }

  const std::shared_ptr<const GraphSnapshot> graph_ =
      BuildSnapshotOrDie(RandomMultigraph({}, GetParam()));
  const std::unique_ptr<NegativeSampler> sampler_ = *NegativeSampler::Create(
      *graph_, NegativeMix{.uniform = 1, .source_kept = 1, .target_kept = 1});
};

TEST_P(TrainingExamplesTest, NoExampleSeesItsOwnPair) {
  const TrainingExamples examples = Make(0.3);
  const LinkEncoder encoder = EncoderFor(*graph_);
  for (const Link& positive : AllLinks(*graph_)) {
    for (const TrainingExample& example : examples.Expand(positive, 0)) {
      const GraphView view = examples.ViewOf(encoder, example);
      EXPECT_TRUE(
          view.ArcsBetween(example.link.source, example.link.target).empty());
    }
  }
}

TEST_P(TrainingExamplesTest, NegativesThatKeepAnEndHideThePositiveToo) {
  const TrainingExamples examples = Make(0);
  const LinkEncoder encoder = EncoderFor(*graph_);
  int kept = 0;
  for (const Link& positive : AllLinks(*graph_)) {
    for (const TrainingExample& example : examples.Expand(positive, 1)) {
      if (!example.shares_end) continue;
      ++kept;
      EXPECT_FALSE(example.positive);
      const GraphView view = examples.ViewOf(encoder, example);
      EXPECT_FALSE(view.HasLink(positive));
    }
  }
  EXPECT_GT(kept, 50);
}

TEST_P(TrainingExamplesTest, UnlinkedExamplesShowNoLinkOfTheirRelation) {
  const TrainingExamples examples = Make(1);
  const LinkEncoder encoder = EncoderFor(*graph_);
  for (const Link& positive : AllLinks(*graph_)) {
    for (const TrainingExample& example : examples.Expand(positive, 0)) {
      const GraphView view = examples.ViewOf(encoder, example);
      EXPECT_EQ(view.SlotDegree(example.link.source, example.link.relation,
                                Direction::kOut),
                0u);
    }
  }
}

TEST_P(TrainingExamplesTest, NegativesAreNoLinksOfTheGraph) {
  const TrainingExamples examples = Make(0.5);
  for (const Link& positive : AllLinks(*graph_)) {
    for (const TrainingExample& example : examples.Expand(positive, 2)) {
      EXPECT_EQ(graph_->HasLink(example.link), example.positive);
    }
  }
}

TEST_P(TrainingExamplesTest, EncodingIsTheSameOnAnyNumberOfThreads) {
  const TrainingExamples examples = Make(0.5, 1);
  const LinkEncoder encoder = EncoderFor(*graph_);
  const std::vector<Link> positives = examples.EpochPositives(0, 0);
  const ExampleChunk one = examples.Encode(encoder, positives, 0, 1);
  const ExampleChunk two = examples.Encode(encoder, positives, 0, 2);
  ASSERT_EQ(one.links.size(), 3 * positives.size());
  EXPECT_EQ(one.labels, two.labels);
  for (size_t i = 0; i < one.links.size(); ++i) {
    EXPECT_EQ(one.links[i].link, two.links[i].link);
    EXPECT_EQ(one.links[i].contexts, two.links[i].contexts);
    EXPECT_EQ(one.links[i].pair_features, two.links[i].pair_features);
  }
}

TEST_P(TrainingExamplesTest, FoldsPartTheLinksByPair) {
  const LinkFolds folds(4, GetParam());
  size_t total = 0;
  for (int fold = 0; fold < 4; ++fold) {
    for (const Link& link : LinksOfFold(*graph_, folds, fold)) {
      EXPECT_EQ(folds.FoldOf({link.target, link.relation, link.source}), fold);
      ++total;
    }
  }
  EXPECT_EQ(total, graph_->link_count());
}

TEST_P(TrainingExamplesTest, AnEpochIsAShuffledSampleWithoutRepeats) {
  const TrainingExamples examples = Make(0);
  std::vector<Link> all = examples.EpochPositives(0, 0);
  EXPECT_NE(all, examples.EpochPositives(1, 0));
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, AllLinks(*graph_));
  const std::vector<Link> some = examples.EpochPositives(0, 10);
  EXPECT_EQ(some.size(), 10u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TrainingExamplesTest,
                         ::testing::Range<uint64_t>(0, 5));

TEST(UnlinkedSharesTest, CountsNodesOfTheSourceTypesWithoutTheRelation) {
  const auto graph = ToySnapshot();
  const std::vector<double> shares = EstimateUnlinkedShares(*graph, {});
  const RelationId tagged = ToyRelation(*graph, "tagged");
  // Only packages are tagged: 3 of them have a tag.
  size_t packages = 0;
  const NodeTypeId package = graph->Type(ToyNode(*graph, "curl"));
  for (NodeId node = 0; node < graph->node_count(); ++node) {
    packages += graph->Type(node) == package;
  }
  EXPECT_NEAR(shares[tagged], std::min(0.5, 1 - 3.0 / packages), 1e-9);
}

TEST(UnlinkedSharesTest, WithoutTypesAsksTheValidLinks) {
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"r"};
  for (const char* key : {"a", "b", "c", "d"}) {
    data.catalogue.nodes.push_back({key, key, 0});
  }
  data.links = {{0, 0, 1}};
  const auto graph = BuildSnapshotOrDie(data);
  const std::vector<LabelledLink> valid = {{{0, 0, 2}, true},
                                           {{0, 0, 3}, true},
                                           {{1, 0, 3}, true},
                                           {{2, 0, 3}, false}};
  EXPECT_NEAR(EstimateUnlinkedShares(*graph, valid)[0], 1.0 / 3, 1e-9);
}

}  // namespace
}  // namespace slice
