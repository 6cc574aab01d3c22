#include "trainer/fit/structural_training.h"

#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "context/feature_scaling.h"
#include "context/pair_features.h"
#include "trainer/fit/embedding_tensor.h"
#include "trainer/learning/network_training.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr uint64_t kSalt = 1;
constexpr int kDistinctDraws = 3;
constexpr size_t kScalingPositives = 20000;

}  // namespace

absl::StatusOr<TrainingExamples> StructuralExamples(
    const LearningInputs& inputs) {
  return inputs.Examples({AllLinks(inputs.graph()), kSalt});
}

absl::StatusOr<EncoderTables> StructuralTables(
    const LearningInputs& inputs, const GraphStatistics& statistics) {
  const GraphSnapshot& graph = inputs.graph();
  const PairFeatureOptions options = {.walks =
                                          statistics.Get("walks.inputs").ok()};
  const bool is_scaled = statistics.Get("pair_features.scaling").ok();
  return EncoderTables::FromStatistics(
      statistics, graph.relation_count(), graph.node_count(),
      is_scaled ? PairFeatures(graph.relation_count(), graph.node_type_count(),
                               options)
                      .names()
                      .size()
                : 0);
}

absl::Status AddScaling(const LearningInputs& inputs,
                        const TrainingExamples& examples,
                        GraphStatistics& statistics) {
  SLICE_ASSIGN_OR_RETURN(const EncoderTables unscaled,
                         StructuralTables(inputs, statistics));
  const LinkEncoder raw = inputs.Encoder(unscaled, /*contexts_per_link=*/0);
  const ExampleChunk chunk = examples.Encode(
      raw, examples.EpochPositives(/*epoch=*/0, kScalingPositives),
      /*epoch=*/0, inputs.options.WorkerThreads());
  const size_t width = raw.pair_features().names().size();
  std::vector<float> rows, rare;
  rows.reserve(chunk.links.size() * width);
  // New nodes are rare and unlike all others: to scale by them, too, would
  // press the others together.
  const auto known = static_cast<NodeId>(inputs.graph().node_count());
  for (const EncodedLink& link : chunk.links) {
    const bool is_new = link.link.source >= known || link.link.target >= known;
    std::vector<float>& to = is_new ? rare : rows;
    to.insert(to.end(), link.pair_features.begin(), link.pair_features.end());
  }
  FeatureScaling::Fit(rows, width, rare).AddTo(statistics);
  return absl::OkStatus();
}

NetworkTrainingOptions StructuralTrainingOptions(const LearningInputs& inputs) {
  const FitOptions& options = inputs.options;
  NetworkTrainingOptions training;
  training.epochs = options.StructuralEpochs(inputs.graph().link_count());
  training.distinct_epochs = kDistinctDraws;
  // There is no early end: the learning rate falls until the last epoch.
  training.patience = training.epochs;
  training.replicas = options.WorkerThreads();
  training.batch_size = options.batch_size;
  training.learning_rate = options.structural_learning_rate;
  training.positives_per_epoch = options.structural_positives;
  training.threads = options.WorkerThreads();
  training.seed = options.seed;
  return training;
}

absl::StatusOr<TrainingSummary> TrainStructural(
    const LearningInputs& inputs, const TrainingExamples& examples,
    const EncoderTables& tables, const NetworkTrainingOptions& options,
    const std::string& title, torch::jit::Module& network) {
  const LinkEncoder encoder = inputs.Encoder(tables, /*contexts_per_link=*/0);
  const ExampleChunk valid = inputs.EncodeValid(encoder, examples);
  const TrainingData data{&examples, &encoder,
                          &valid,    nullptr,
                          {},        EmbeddingTensor(inputs.embeddings)};
  SLICE_ASSIGN_OR_RETURN(
      auto summaries, TrainNetworks({&network, 1}, TrainingScope::kStructural,
                                    data, options, title));
  return std::move(summaries[0]);
}

}  // namespace slice
