#include "trainer/learning/training_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "common/random.h"
#include "context/pair_features.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "trainer/learning/relation_shares.h"
#include "trainer/learning/training_links.h"
#include "trainer/statistics/rule_mining.h"
#include "trainer/statistics/slot_profile_fit.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {
namespace {

LinkEncoder EncoderFor(const GraphSnapshot& graph, bool hide_pair = true) {
  LinkEncoderOptions options;
  options.own_pair_links =
      hide_pair ? OwnPairLinks::kHide : OwnPairLinks::kReveal;
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

// With a new node in the place of an end of every positive.
class NewEndsTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  NewEndsTest() {
    TrainingExampleOptions options;
    options.negatives_per_positive = 3;
    options.among_kind_negatives = 2;
    options.new_node_share = 1;
    options.new_nodes = *NewNodes::Add(*graph_, {embeddings_, 1});
    options.seed = GetParam();
    examples_.emplace(graph_.get(), sampler_.get(), AllLinks(*graph_), options);
  }

  const std::shared_ptr<const GraphSnapshot> graph_ =
      BuildSnapshotOrDie(RandomMultigraph({}, GetParam()));
  const std::unique_ptr<NegativeSampler> sampler_ = *NegativeSampler::Create(
      *graph_, NegativeMix{.uniform = 1, .source_kept = 1, .self = 1});
  const std::vector<float> embeddings_ =
      std::vector<float>(graph_->node_count(), 2.0f);
  std::optional<TrainingExamples> examples_;
};

TEST_P(NewEndsTest, EncodeLikeAQuestionAboutANodeWithoutLinks) {
  const LinkEncoder encoder = EncoderFor(*graph_);
  const auto& names = encoder.pair_features().names();
  const auto feature = [&](const EncodedLink& link, const char* name) {
    return link.pair_features[std::find(names.begin(), names.end(), name) -
                              names.begin()];
  };
  int sources = 0, targets = 0;
  for (const Link& positive : AllLinks(*graph_)) {
    const auto examples = examples_->Expand(positive, 0);
    const ExampleChunk chunk = examples_->EncodeExamples(encoder, examples, 1);
    for (size_t i = 0; i < examples.size(); ++i) {
      const EncodedLink& link = chunk.links[i];
      const bool source = examples[i].new_end == NewEnd::kSource;
      const bool target = examples[i].new_end == NewEnd::kTarget;
      sources += source;
      targets += target;
      EXPECT_EQ(link.link.source >= graph_->node_count(), source);
      EXPECT_EQ(link.link.target >= graph_->node_count(), target);
      if (!source && !target) continue;
      EXPECT_EQ(feature(link, source ? "degree.source_isolated"
                                     : "degree.target_isolated"),
                1);
      EXPECT_EQ(feature(link, "common_neighbors.count"), 0);
      ASSERT_EQ(link.unknown_nodes.size(), 1u);
      EXPECT_EQ(link.unknown_nodes[0].values[0], 2);
    }
  }
  EXPECT_GT(sources, 50);
  EXPECT_GT(targets, 50);
}

// The end that stays has the links that it would have without the positive.
TEST_P(NewEndsTest, TheOtherEndDoesNotShowThePositive) {
  const LinkEncoder encoder = EncoderFor(*graph_);
  for (const Link& positive : AllLinks(*graph_)) {
    const TrainingExample example = examples_->Expand(positive, 1).front();
    EXPECT_EQ(example.new_end == NewEnd::kNone,
              positive.source == positive.target);
    EXPECT_FALSE(examples_->ViewOf(encoder, example).HasLink(positive));
  }
}

TEST_P(NewEndsTest, NegativesDifferFromTheirPositive) {
  for (const Link& positive : AllLinks(*graph_)) {
    const auto examples = examples_->Expand(positive, 2);
    const NewEnd new_end = examples.front().new_end;
    if (new_end == NewEnd::kNone) continue;  // of a self loop
    for (const TrainingExample& example : examples) {
      const Link& link = example.link;
      if (link.source == link.target && !example.positive) {
        EXPECT_TRUE(example.new_end == NewEnd::kNone ||
                    example.new_end == new_end);
        continue;
      }
      EXPECT_EQ(example.new_end, new_end);
      const bool among_kind = example.weights[1] == 1 && !example.positive;
      if (!among_kind || !example.shares_end) continue;
      EXPECT_TRUE(new_end == NewEnd::kSource ? link.target != positive.target
                                             : link.source != positive.source);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NewEndsTest, ::testing::Range<uint64_t>(0, 3));

INSTANTIATE_TEST_SUITE_P(Seeds, TrainingExamplesTest,
                         ::testing::Range<uint64_t>(0, 5));

// Tables with the arrays that they are views into.
struct OwnedTables {
  GraphStatistics statistics;
  EncoderTables tables;
};

void AddFactors(const GraphView& view, GraphStatistics& statistics) {
  SpectralFactors factors = *ComputeSpectralFactors(view, {.rank = 8});
  const auto nodes = static_cast<int64_t>(factors.nodes);
  const int64_t rank = factors.rank;
  statistics.Set("spectral.out", {{nodes, rank}, factors.out_vectors});
  statistics.Set("spectral.in", {{nodes, rank}, factors.in_vectors});
  statistics.Set("spectral.symmetric",
                 {{nodes, rank}, factors.symmetric_vectors});
  statistics.Set("spectral.singular_values", {{rank}, factors.singular_values});
  statistics.Set("spectral.eigenvalues", {{rank}, factors.eigenvalues});
}

bool SamePair(const Link& a, const Link& b) {
  return std::minmax(a.source, a.target) == std::minmax(b.source, b.target);
}

// Training with every table that a bundle has: slots, profile, rules, spectral
// factors, scaling, embeddings; rules and factors also without each fold,
// factors also without each part of the sources. The second parameter is
// whether a question hides its whole pair (else its link alone).
class AllTablesTest
    : public ::testing::TestWithParam<std::tuple<uint64_t, bool>> {
 protected:
  static constexpr int kFolds = 3, kEmbeddedFold = 1, kParts = 2;

  AllTablesTest()
      : features_(graph_->relation_count(), graph_->node_type_count()),
        shares_(graph_->relation_count(), 0.3) {
    RuleMiningOptions mining;
    mining.hide_pair = hide_pair();
    rules_ = MinePathRules(*graph_, folds_, mining);
    for (int fold = 0; fold < kFolds; ++fold) {
      GraphData reduced = data_;
      EraseFold(folds_, fold, &reduced);
      by_fold_.push_back(TablesOf(*BuildSnapshotOrDie(reduced), rules_[fold]));
      if (hide_pair()) {
        // As fit makes them: from a view, not from a smaller graph.
        GraphView view(*graph_);
        view.HideFold(&folds_, fold);
        AddFactors(view, by_fold_.back().statistics);
      }
    }
    for (int part = 0; part < kParts; ++part) {
      GraphData reduced = data_;
      EraseSourcePart(part, kParts, shares_, &reduced);
      by_source_.push_back(TablesOf(*BuildSnapshotOrDie(reduced), {}));
    }
    all_ = TablesOf(*graph_, rules_.back());
    Random random(seed() + 1);
    embeddings_.resize(graph_->node_count() * kDim);
    for (float& value : embeddings_) {
      value = static_cast<float>(random.Uniform() - 0.5);
    }
    FitScaling();
  }

  uint64_t seed() const { return std::get<0>(GetParam()); }
  bool hide_pair() const { return std::get<1>(GetParam()); }

  OwnedTables TablesOf(const GraphSnapshot& graph,
                       std::optional<PathRules> rules) const {
    OwnedTables owned;
    AddFactors(GraphView(graph), owned.statistics);
    if (rules) rules->AddTo(owned.statistics);
    return owned;
  }

  // The tables of `owned`, which must stay where it is; of the whole graph also
  // those that no fold is taken from.
  EncoderTables Open(const OwnedTables& owned, bool is_whole) const {
    EncoderTables tables = *EncoderTables::FromStatistics(
        owned.statistics, graph_->relation_count(), graph_->node_count(), 0);
    if (is_whole) {
      tables.slots = SlotCompatibility::Build(*graph_);
      tables.profile = *FitSlotProfile(*graph_);
      tables.scaling = scaling_;
    }
    return tables;
  }

  LinkEncoder Encoder(ContextStrategy strategy, bool has_embeddings) const {
    LinkEncoderOptions options;
    options.context.strategy = strategy;
    options.own_pair_links =
        hide_pair() ? OwnPairLinks::kHide : OwnPairLinks::kReveal;
    if (has_embeddings) options.embeddings = {embeddings_, kDim};
    return LinkEncoder(options, graph_->relation_count(),
                       graph_->node_type_count(), Open(all_, true));
  }

  TrainingExamples Make() {
    fold_tables_.clear();
    source_tables_.clear();
    for (const auto& owned : by_fold_) {
      fold_tables_.push_back(Open(owned, false));
    }
    for (const auto& owned : by_source_) {
      source_tables_.push_back(Open(owned, false));
    }
    TrainingExampleOptions options;
    options.unlinked_shares = shares_;
    options.folds = &folds_;
    options.by_fold = fold_tables_;
    options.by_source = source_tables_;
    options.embedded_fold = kEmbeddedFold;
    options.seed = seed();
    return TrainingExamples(graph_.get(), sampler_.get(), AllLinks(*graph_),
                            options);
  }

  void FitScaling() {
    const LinkEncoder encoder = Encoder(ContextStrategy::kTypedPaths, true);
    std::vector<float> rows;
    for (const Link& link : AllLinks(*graph_)) {
      const EncodedLink encoded = encoder.Encode(*graph_, link);
      rows.insert(rows.end(), encoded.pair_features.begin(),
                  encoded.pair_features.end());
    }
    scaling_ = FeatureScaling::Fit(rows, features_.names().size());
  }

  // By the rules, not by TrainingView.
  bool MustNotSee(const TrainingExample& example, const Link& link) const {
    const auto is_asked = [&](const Link& asked) {
      return hide_pair() ? SamePair(asked, link) : asked == link;
    };
    return is_asked(example.link) ||
           (example.shares_end && is_asked(example.made_from)) ||
           (example.hide_relation && link.source == example.link.source &&
            link.relation == example.link.relation);
  }

  // Factors of a graph that was rebuilt without what the example's must lack.
  OwnedTables ExpectedTables(const TrainingExample& example) const {
    const int fold = folds_.FoldOf(example.made_from);
    const int part = SourcePart(example.link.source, kParts);
    const auto is_gone = [&](const Link& link) {
      if (!example.hide_relation) return folds_.FoldOf(link) == fold;
      return std::any_of(data_.links.begin(), data_.links.end(),
                         [&](const Link& other) {
                           return SamePair(link, other) &&
                                  SourcePart(other.source, kParts) == part;
                         });
    };
    return TablesOf(*BuildSnapshotOrDie(RebuildWithout(data_, is_gone)),
                    rules_[fold]);
  }

  // Whether a hidden link was the only one of an end in some slot.
  bool EmptiesASlot(const GraphSnapshot& rebuilt, const Link& link) const {
    for (const NodeId node : {link.source, link.target}) {
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        for (RelationId r = 0; r < graph_->relation_count(); ++r) {
          if (rebuilt.Neighbors(node, r, direction).empty() !=
              graph_->Neighbors(node, r, direction).empty()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // Everything from the rebuilt graph, scaled. One trace of the hidden links
  // stays in the whole table of slots, as docs/leakage.md says: the row of the
  // other end. Where hiding empties a slot, `fits.*` is read from that table.
  std::vector<float> ExpectedFeatures(const GraphSnapshot& rebuilt,
                                      const TrainingExample& example) {
    const OwnedTables owned = ExpectedTables(example);
    EncoderTables tables = Open(owned, false);
    tables.slots = SlotCompatibility::Build(rebuilt);
    std::vector<float> values(features_.names().size());
    const Link& link = example.link;
    features_.Compute(GraphView(rebuilt), link, tables.ForPairs(), values);
    if (EmptiesASlot(rebuilt, link) ||
        (example.shares_end && EmptiesASlot(rebuilt, example.made_from))) {
      const auto whole = SlotCompatibility::Build(*graph_);
      const auto& names = features_.names();
      const auto first = std::find_if(
          names.begin(), names.end(),
          [](const std::string& name) { return name.starts_with("fits."); });
      auto* at = values.data() + (first - names.begin());
      std::vector<SlotCount> slots;
      for (const auto& [node, direction] :
           {std::pair(link.source, Direction::kOut),
            std::pair(link.target, Direction::kIn)}) {
        CollectSlots(GraphView(rebuilt), node, slots);
        whole->Compute(*graph_, node, SlotOf(link.relation, direction), slots,
                       std::span<float, SlotCompatibility::kFeatures>(
                           at, SlotCompatibility::kFeatures));
        at += SlotCompatibility::kFeatures;
      }
    } else {
      ++wholly_rebuilt_;
    }
    scaling_->Apply(values);
    return values;
  }

  static constexpr size_t kDim = 5;
  const GraphData data_ =
      RandomMultigraph({.links = 220}, std::get<0>(GetParam()));
  const std::shared_ptr<const GraphSnapshot> graph_ = BuildSnapshotOrDie(data_);
  const std::unique_ptr<NegativeSampler> sampler_ = *NegativeSampler::Create(
      *graph_, NegativeMix{.uniform = 1, .source_kept = 1, .target_kept = 1});
  const LinkFolds folds_{kFolds, std::get<0>(GetParam()),
                         std::get<1>(GetParam()) ? LinkFolds::Unit::kPair
                                                 : LinkFolds::Unit::kLink};
  const PairFeatures features_;
  const std::vector<double> shares_;
  std::vector<PathRules> rules_;
  OwnedTables all_;
  std::vector<OwnedTables> by_fold_, by_source_;
  std::vector<EncoderTables> fold_tables_, source_tables_;
  std::optional<FeatureScaling> scaling_;
  std::vector<float> embeddings_;
  size_t wholly_rebuilt_ = 0;
};

// The whole of rule 5 of docs/leakage.md in one property: features, contexts
// and the right to read embeddings are those of a graph and of tables rebuilt
// without what the example must not know.
TEST_P(AllTablesTest, ExamplesEqualThoseOfARebuiltGraphAndRebuiltTables) {
  const TrainingExamples examples = Make();
  for (const ContextStrategy strategy :
       {ContextStrategy::kTypedPaths, ContextStrategy::kCoherentPaths}) {
    const LinkEncoder encoder = Encoder(strategy, true);
    const LinkEncoder blind = Encoder(strategy, false);
    size_t hidden_relations = 0, differ_from_whole = 0;
    for (const Link& positive : examples.EpochPositives(0, 30)) {
      for (const TrainingExample& example : examples.Expand(positive, 0)) {
        const EncodedLink seen =
            examples.EncodeExamples(encoder, {&example, 1}, 1).links[0];
        const auto rebuilt =
            BuildSnapshotOrDie(RebuildWithout(data_, [&](const Link& link) {
              return MustNotSee(example, link);
            }));
        const bool is_embedded = folds_.FoldOf(positive) == kEmbeddedFold;
        EXPECT_EQ(seen.pair_features, ExpectedFeatures(*rebuilt, example));
        EXPECT_EQ(seen.has_embeddings, is_embedded);
        EXPECT_EQ(seen.contexts, (is_embedded ? encoder : blind)
                                     .Encode(GraphView(*rebuilt), example.link)
                                     .contexts);
        hidden_relations += example.hide_relation;
        differ_from_whole +=
            seen.pair_features !=
            encoder.Encode(examples.ViewOf(encoder, example), example.link)
                .pair_features;
      }
    }
    EXPECT_GT(hidden_relations, 5u);
    EXPECT_GT(differ_from_whole, 60u);
    EXPECT_GT(wholly_rebuilt_, 10u);
  }
}

// Questions of valid are no links of the graph: they read the tables of the
// whole graph and the embeddings.
TEST_P(AllTablesTest, HeldOutExamplesReadEverything) {
  const TrainingExamples examples = Make();
  const LinkEncoder encoder = Encoder(ContextStrategy::kCoherentPaths, true);
  Random random(seed());
  for (int i = 0; i < 20; ++i) {
    TrainingExample example;
    example.link = {random.Below(40), static_cast<RelationId>(i % 4),
                    random.Below(40)};
    example.made_from = example.link;
    example.held_out = true;
    const EncodedLink seen =
        examples.EncodeExamples(encoder, {&example, 1}, 1).links[0];
    const EncodedLink expected = encoder.Encode(*graph_, example.link);
    EXPECT_TRUE(seen.has_embeddings);
    EXPECT_EQ(seen.pair_features, expected.pair_features);
    EXPECT_EQ(seen.contexts, expected.contexts);
  }
}

INSTANTIATE_TEST_SUITE_P(SeedsAndHiding, AllTablesTest,
                         ::testing::Combine(::testing::Range<uint64_t>(1, 4),
                                            ::testing::Bool()));

TEST(EpochPositives, TakesItsShareFromTheEmbeddedFold) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.links = 2000}, 2));
  const auto sampler = *NegativeSampler::Create(*graph, NegativeMix{});
  const LinkFolds folds(5, 3);
  TrainingExampleOptions options;
  options.folds = &folds;
  options.embedded_fold = 2;
  options.embedded_share = 0.5;
  options.relation_shares.assign(graph->relation_count(),
                                 1.0 / graph->relation_count());
  const TrainingExamples examples(graph.get(), sampler.get(), AllLinks(*graph),
                                  options);
  size_t embedded = 0;
  for (const Link& link : examples.EpochPositives(0, 300)) {
    embedded += folds.FoldOf(link) == 2;
  }
  // A fifth of the links, half of the epoch; a few more fill up relations that
  // have too few links.
  EXPECT_NEAR(embedded, 150, 12);
}

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
