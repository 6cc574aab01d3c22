#include "trainer/fit/learning_inputs.h"

#include <algorithm>
#include <utility>

#include "common/random.h"
#include "common/status_macros.h"
#include "context/pair_features.h"
#include "trainer/learning/new_nodes.h"
#include "trainer/learning/relation_shares.h"
#include "trainer/learning/training_links.h"
#include "trainer/learning/valid_examples.h"

namespace slice {

NetworkOptions LearningInputs::Network() const {
  NetworkOptions network = training.network;
  network.embedding_dim = embeddings.dim;
  return network;
}

std::vector<std::string> LearningInputs::PairFeatureNames() const {
  return PairFeatures(graph().relation_count(), graph().node_type_count(),
                      {.walks = options.walk_dim > 0})
      .names();
}

LinkEncoder LearningInputs::Encoder(const EncoderTables& tables,
                                    int contexts_per_link) const {
  LinkEncoderOptions encoder;
  encoder.context = training.context;
  encoder.embeddings = {embeddings.values, static_cast<size_t>(embeddings.dim)};
  encoder.contexts_per_link = contexts_per_link;
  encoder.own_pair_links = options.recorded_own_pair_links();
  encoder.use_pair_features = options.uses_pair_features();
  encoder.seed = options.seed;
  return LinkEncoder(encoder, graph().relation_count(),
                     graph().node_type_count(), tables);
}

absl::StatusOr<TrainingExamples> LearningInputs::Examples(
    ExampleDraw draw) const {
  TrainingExampleOptions examples;
  examples.negatives_per_positive = options.negatives_per_positive;
  examples.among_kind_negatives = options.among_kind_negatives;
  examples.unlinked_shares = training.unlinked_shares;
  examples.relation_shares = EstimateRelationShares(graph(), training.valid());
  // Leaky embeddings know every link, so keeping a fold from examples would
  // hide nothing.
  examples.folds = options.leaky ? nullptr : &training.folds;
  examples.by_fold = statistics.by_fold();
  examples.by_source = statistics.by_source();
  examples.embedded_fold = kHeldFold;
  if (options.new_node_share > 0) {
    examples.new_node_share =
        NewNodeShareFor(options.new_node_share, graph().link_count());
    SLICE_ASSIGN_OR_RETURN(
        examples.new_nodes,
        NewNodes::Add(
            graph(), {embeddings.values, static_cast<size_t>(embeddings.dim)}));
  }
  examples.leak = options.planted_leak;
  examples.seed = CombineHash(options.seed, draw.salt);
  examples.embedded_share = draw.embedded_share;
  return TrainingExamples(training.snapshot.get(), training.sampler.get(),
                          std::move(draw.positives), std::move(examples));
}

ExampleChunk LearningInputs::EncodeValid(
    const LinkEncoder& encoder, const TrainingExamples& examples) const {
  return examples.EncodeExamples(
      encoder, ValidExamples(training.valid(), *training.sampler, options.seed),
      options.WorkerThreads());
}

}  // namespace slice
