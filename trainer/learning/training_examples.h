// Labelled examples for supervised training, encoded by the rules of
// docs/leakage.md: an example is computed from a graph, tables and embeddings
// that do not know the link it asks about.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_
#define SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/random.h"
#include "context/encoded_link.h"
#include "context/encoder_tables.h"
#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/learning/new_nodes.h"
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
  // How many negatives are made from each positive: for the question
  // "plausible", drawn by the mix of the sampler, and for "among kind", drawn
  // by AmongKindMix().
  int negatives_per_positive = 1;
  int among_kind_negatives = 1;
  // For the question that it was made for, each negative has the weight 1.
  // These are the weights for the other question: of a negative for "plausible"
  // when the question is "among kind", and the other way round.
  float plausible_weight_among_kind = 0.2f;
  float among_kind_weight_plausible = 0;

  // Per relation, the share of positives that become examples with
  // hide_relation (docs/model.md, "Unlinked share"). Empty: none.
  std::vector<double> unlinked_shares;
  // Per relation, its share of an epoch that is a sample
  // (EstimateRelationShares). Empty: the sample is uniform.
  std::vector<double> relation_shares;

  // An example belongs to the fold of the positive it was made from, and reads
  // the tables that were made without this fold. It reads the embeddings only
  // if its fold is `embedded_fold`, since the embeddings were made without that
  // one. Null: all examples read the embeddings, and the tables of the whole
  // graph.
  const LinkFolds* folds = nullptr;
  // [folds]: the tables made without each fold. Empty: those of the whole
  // graph.
  std::span<const EncoderTables> by_fold;
  int embedded_fold = 0;
  // [parts]: spectral factors and walk vectors for examples with hide_relation,
  // by the SourcePart of the source. Those of a part were made after
  // EraseSourcePart of that part. Empty: these examples read those of their
  // fold.
  std::span<const EncoderTables> by_source;
  // The share of an epoch that is taken from the embedded fold, where an epoch
  // is a sample and the fold has enough links. 0: the fold gets no share of its
  // own.
  double embedded_share = 0;

  // In this share of the positives, and in their negatives, a new node takes
  // the place of one end. It needs `new_nodes`, made of the same graph.
  double new_node_share = 0;
  std::shared_ptr<const NewNodes> new_nodes;

  PlantedLeak leak = PlantedLeak::kNone;
  uint64_t seed = 0;
};

// Makes and encodes the examples of each epoch. Immutable; thread-safe. The
// snapshot, the sampler and what the options point to must outlive it.
class TrainingExamples {
 public:
  // `positives` are the links of the snapshot that the examples are made from.
  TrainingExamples(const GraphSnapshot* snapshot,
                   const NegativeSampler* sampler, std::vector<Link> positives,
                   TrainingExampleOptions options);

  // The positives of one epoch in random order: all of them, or a sample of
  // `limit` (0: no limit). A sample has the relation shares and the embedded
  // share of the options, as far as there are enough positives.
  std::vector<Link> EpochPositives(int epoch, size_t limit) const;

  // The example of a positive, followed by those of its negatives.
  std::vector<TrainingExample> Expand(const Link& positive, int epoch) const;

  // The graph as `example` may see it. Whether it hides pairs or single links
  // depends on the encoder's options, as in LinkEncoder::QueryView.
  TrainingView ViewOf(const LinkEncoder& encoder,
                      const TrainingExample& example) const {
    const OwnPairLinks own = encoder.options().own_pair_links;
    const PlantedLeak leak =
        own == OwnPairLinks::kShow ? PlantedLeak::kOwnLink : options_.leak;
    const GraphSnapshot& graph = example.new_end == NewEnd::kNone
                                     ? *snapshot_
                                     : options_.new_nodes->graph();
    return TrainingView(graph, example, own == OwnPairLinks::kHide, leak);
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
  // Which end a new node replaces: none of a self loop.
  NewEnd DrawNewEnd(const Link& positive, Random& random) const;
  Link EncodedLinkOf(const TrainingExample& example) const;
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

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_EXAMPLES_H_
