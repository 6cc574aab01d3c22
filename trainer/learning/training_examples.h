// Labelled examples for supervised training, encoded by the rules of
// docs/leakage.md: an example is computed from a graph, tables and embeddings
// that do not know the link it asks about.
//
//   TrainingExamples examples(snapshot, sampler, AllLinks(*snapshot), options);
//   const std::vector<Link> positives = examples.EpochPositives(epoch, 60000);
//   const ExampleChunk chunk =
//       examples.Encode(encoder, positives, epoch, threads);
#ifndef SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_
#define SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "context/encoded_link.h"
#include "context/encoder_tables.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "graphstore/link_folds.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/learning/planted_leak.h"
#include "trainer/learning/training_example.h"
#include "trainer/learning/training_view.h"

namespace slice {

// Encoded examples. All arrays are parallel.
struct ExampleChunk {
  std::vector<EncodedLink> links;
  std::vector<float> labels;  // 1 or 0
  std::vector<QuestionWeights> weights;
};

struct TrainingExampleOptions {
  // Negatives made from each positive: plausible ones are drawn by the mix of
  // the sampler, those among its kind by AmongKindMix().
  int negatives_per_positive = 1;
  int among_kind_negatives = 1;
  // The weight of a plausible negative for the question "among kind", and of a
  // negative among kind for the question "plausible". For its own question each
  // has the weight 1.
  float plausible_weight_among_kind = 0.2f;
  float among_kind_weight_plausible = 0;

  // Per relation, the share of positives that become examples with
  // hide_relation (docs/model.md, "Unlinked share"). Empty: none.
  std::vector<double> unlinked_shares;
  // Per relation, its share of an epoch that samples. Empty: as in the graph.
  std::vector<double> relation_shares;

  // An example belongs to the fold of the positive it was made from. It reads
  // the tables of its fold, which know no link of that fold, and it reads the
  // embeddings only if its fold is `embedded_fold`, the one that the embeddings
  // were made without. Null: all examples read the tables of the whole graph
  // and the embeddings.
  const LinkFolds* folds = nullptr;
  std::span<const EncoderTables> by_fold;  // [folds]; empty: the whole graph's
  int embedded_fold = 0;
  // Spectral factors by SourcePart, for examples with hide_relation: those of
  // part p know no link of such a relation at a source in p. Empty: as without
  // hide_relation.
  std::span<const EncoderTables> by_source;
  // The share of a sampled epoch that is taken from the embedded fold, as far
  // as the fold has enough links. 0: as in the graph.
  double embedded_share = 0;

  PlantedLeak leak = PlantedLeak::kNone;
  uint64_t seed = 0;
};

// Immutable; thread-safe. What it is given must outlive it.
class TrainingExamples {
 public:
  // Learns from `positives`, links of the snapshot.
  TrainingExamples(const GraphSnapshot* snapshot,
                   const NegativeSampler* sampler, std::vector<Link> positives,
                   TrainingExampleOptions options);

  // The positives of one epoch in random order: all of them, or a sample of
  // `limit` (0: no limit). A sample has the relation shares and the embedded
  // share of the options as far as there are enough positives of each.
  std::vector<Link> EpochPositives(int epoch, size_t limit) const;

  // The example of a positive, followed by those of its negatives.
  std::vector<TrainingExample> Expand(const Link& positive, int epoch) const;

  // The graph as `example` may see it. Like the encoder's own views it hides
  // pairs or single links.
  TrainingView ViewOf(const LinkEncoder& encoder,
                      const TrainingExample& example) const {
    const OwnPairLinks own = encoder.options().own_pair_links;
    const PlantedLeak leak =
        own == OwnPairLinks::kShow ? PlantedLeak::kOwnLink : options_.leak;
    return TrainingView(*snapshot_, example, own == OwnPairLinks::kHide, leak);
  }

  // Expands `positives` and encodes the examples, in the order of the
  // positives. The result does not depend on `threads`.
  ExampleChunk Encode(const LinkEncoder& encoder,
                      std::span<const Link> positives, int epoch,
                      int threads) const;

  // Encodes `examples`, in their order. The result does not depend on
  // `threads`.
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
  // The tables that `example` may read.
  PairFeatureTables TablesOf(const LinkEncoder& encoder,
                             const TrainingExample& example) const;
  // Whether the embeddings were made without `positive`.
  bool IsEmbedded(const Link& positive) const;

  const GraphSnapshot* const snapshot_;
  const NegativeSampler* const sampler_;
  const std::vector<Link> positives_;
  const TrainingExampleOptions options_;
};

// The examples that early stopping measures. For the question "plausible" they
// are the rows of `valid`; for "among kind" its positives and, for each
// positive that has one, a negative with the target drawn uniformly among the
// targets of the relation. They are held out, so that they read everything.
std::vector<TrainingExample> ValidExamples(std::span<const LabelledLink> valid,
                                           const NegativeSampler& sampler,
                                           uint64_t seed);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_
