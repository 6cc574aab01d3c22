// Labelled examples for supervised training, by the rules of docs/leakage.md:
// what a pair is computed from never contains the pair itself.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_
#define SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "graphstore/link_folds.h"
#include "model/prediction.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/learning/training_view.h"

namespace slice {

// Encoded links with their labels (1 or 0) and weights, parallel.
struct ExampleChunk {
  std::vector<EncodedLink> links;
  std::vector<float> labels;
  std::vector<QuestionWeights> weights;
};

struct TrainingExampleOptions {
  // Negatives as published ones are drawn, and of the same kind, per positive.
  int negatives_per_positive = 1;
  int among_kind_negatives = 1;
  // What a negative of the one sort counts for the other question.
  float plausible_weight_among_kind = 0.2f;
  float among_kind_weight_plausible = 0;
  // Per relation, the share of examples whose source shows no link of the
  // relation at all (docs/model.md, "Unlinked share"); see
  // EstimateUnlinkedShares.
  std::vector<double> unlinked_shares;
  // Per relation, its share of an epoch that samples; empty: as in the graph.
  std::vector<double> relation_shares;
  // What an example made from a positive of fold f may read: tables without
  // that fold (empty: those of all), and the embeddings when f is the fold that
  // they were made without. Null: everything may read all.
  const LinkFolds* folds = nullptr;
  std::span<const EncoderTables> by_fold;
  // For examples that hide the relation at their source: factors without any
  // such link of the sources of that part (SourcePart). Empty: as others.
  std::span<const EncoderTables> by_source;
  int embedded_fold = 0;
  // The share of an epoch that is of the embedded fold, as far as there is
  // enough; 0: as in the graph.
  double embedded_share = 0;
  PlantedLeak leak = PlantedLeak::kNone;
  uint64_t seed = 0;
};

// Immutable; thread-safe. Everything given must outlive it.
class TrainingExamples {
 public:
  // `positives` are train links to learn from.
  TrainingExamples(const GraphSnapshot* snapshot,
                   const NegativeSampler* sampler, std::vector<Link> positives,
                   TrainingExampleOptions options);

  // The positives of one epoch in random order: all, or a sample of `limit`
  // with the relation shares of the options, as far as there are enough.
  std::vector<Link> EpochPositives(int epoch, size_t limit) const;

  // A positive's example followed by its negatives.
  std::vector<TrainingExample> Expand(const Link& positive, int epoch) const;

  // The graph as `example` may see it, its pair (or link) hidden as `encoder`
  // hides it.
  TrainingView ViewOf(const LinkEncoder& encoder,
                      const TrainingExample& example) const {
    const OwnPairLinks own = encoder.options().own_pair_links;
    const PlantedLeak leak =
        own == OwnPairLinks::kShow ? PlantedLeak::kOwnLink : options_.leak;
    return TrainingView(*snapshot_, example, own == OwnPairLinks::kHide, leak);
  }

  // Expands and encodes, on `threads` threads, in the order of `positives`.
  ExampleChunk Encode(const LinkEncoder& encoder,
                      std::span<const Link> positives, int epoch,
                      int threads) const;

  ExampleChunk EncodeExamples(const LinkEncoder& encoder,
                              std::span<const TrainingExample> examples,
                              int threads) const;

  size_t positive_count() const { return positives_.size(); }
  int examples_per_positive() const {
    return 1 + options_.negatives_per_positive + options_.among_kind_negatives;
  }

 private:
  EncodedLink EncodeOne(const LinkEncoder& encoder,
                        const TrainingExample& example) const;
  PairFeatureTables TablesOf(const LinkEncoder& encoder,
                             const TrainingExample& example) const;
  // Whether the embeddings were made without `positive`.
  bool IsEmbedded(const Link& positive) const;

  const GraphSnapshot* const snapshot_;
  const NegativeSampler* const sampler_;
  const std::vector<Link> positives_;
  const TrainingExampleOptions options_;
};

// What early stopping looks at: the labelled links for the first question; for
// the second the positives and a type-matched non-link for each that has one.
std::vector<TrainingExample> ValidExamples(std::span<const LabelledLink> valid,
                                           const NegativeSampler& sampler,
                                           uint64_t seed);

// The links of `snapshot`, all or those of a fold, which EraseFold() takes.
std::vector<Link> AllLinks(const GraphSnapshot& snapshot);
std::vector<Link> LinksOfFold(const GraphSnapshot& snapshot,
                              const LinkFolds& folds, int fold);
void EraseFold(const LinkFolds& folds, int fold, GraphData* data);

// The part, of `parts`, whose sources lose all links of the relations that
// sources often lack.
inline int SourcePart(NodeId source, int parts) {
  return static_cast<int>(MixBits(source + 1) % static_cast<uint64_t>(parts));
}

// Takes from `data` the links of `part` that SourcePart is about, of the
// relations with a share in `unlinked_shares`, and all other links between the
// ends of these.
void EraseSourcePart(int part, int parts,
                     const std::vector<double>& unlinked_shares,
                     GraphData* data);

// Per relation, how often a question is about a source without any link of
// the relation. With node types: the share of nodes, of the types that have
// the relation at all, that lack it. Without: the share among the positives of
// `valid`. Never above 0.5.
std::vector<double> EstimateUnlinkedShares(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> valid);

// Half what a relation is of the graph's links, half what it is of the
// positives in `valid`: the relations that are asked for are learnt best.
std::vector<double> EstimateRelationShares(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> valid);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_
