// Trains the structural scorer on all train links, in these steps:
//   1. the scaling is fitted on the raw pair features of some examples, and is
//      added to the statistics of the graph;
//   2. a network is built, and its structural part trained on the scaled
//      features; early stopping looks at the valid links.
// Later steps go on from structural.pt, in which the other parts of the network
// are still untrained.
#include "trainer/fit/structural_step.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "common/logging.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/structural_parts.h"
#include "trainer/fit/structural_training.h"
#include "trainer/fit/training_record.h"
#include "trainer/fit/walk_tables.h"
#include "trainer/fit/warm_network.h"
#include "trainer/fit/warm_start.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Increase this when the methods of the saved network change.
constexpr int kNetworkVersion = 2;

// Adds what a network depends on to the parts of a step.
void AddNetwork(const NetworkOptions& options, Json& parts) {
  parts["--hidden-dim"] = options.hidden_dim;
  parts["--layers"] = options.layers;
  parts["--heads"] = options.heads;
  parts["--head-dim"] = options.head_dim;
  parts["--feed-forward-dim"] = options.feed_forward_dim;
  parts["the place of layer norms"] = options.pre_norm;
  parts["--score-head"] = static_cast<int>(options.head);
  parts["--layer-readout"] = static_cast<int>(options.readout);
  parts["--projection"] = static_cast<int>(options.projection);
  parts["--composition"] = static_cast<int>(options.composition);
  parts["--gcn-layers"] = options.gcn_layers;
  parts["--plain-tokens"] = options.plain_tokens;
  parts["the size of the structural scorer"] = options.structural_dim;
  parts["the size of relation vectors"] = options.relation_dim;
  parts["the dropout"] = options.dropout;
  parts["the version of the network"] = kNetworkVersion;
}

// The network before training: that of the older bundle, or a new one.
absl::StatusOr<torch::jit::Module> MakeNetwork(const LearningInputs& inputs) {
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         BuildNetwork(inputs.Network(), inputs.options.seed));
  const ImportedTraining& training = inputs.training;
  if (training.warm == nullptr) return network;
  const BundleManifest& older = training.warm->manifest();
  SLICE_ASSIGN_OR_RETURN(const torch::jit::Module trained,
                         LoadNetwork(training.warm->bundle().network().script));
  std::vector<std::string> features;
  if (training.network.pair_features > 0) features = inputs.PairFeatureNames();
  const NetworkNames names =
      NamesFor(training.graph().relations(), training.graph().node_types(),
               features, training.attributes.columns);
  SLICE_RETURN_IF_ERROR(
      CopyParameters(trained, NamesOf(older), names, &network));
  return network;
}

}  // namespace

std::filesystem::path StructuralStep::StatisticsFile() const {
  return inputs_.options.WorkFile("statistics.bin");
}

std::filesystem::path StructuralStep::NetworkFile() const {
  return inputs_.options.WorkFile("structural.pt");
}

absl::StatusOr<StepFingerprint> StructuralStep::Fingerprint() const {
  Json parts = StructuralParts(inputs_.options);
  parts["the step statistics"] = inputs_.statistics.fingerprint;
  parts["the size of embeddings"] = inputs_.embeddings.dim;
  parts["the pair features"] = inputs_.PairFeatureNames();
  AddNetwork(inputs_.Network(), parts);
  return MakeStepFingerprint(kName, parts);
}

absl::StatusOr<Json> StructuralStep::Run() const {
  const FitOptions& options = inputs_.options;
  SLICE_ASSIGN_OR_RETURN(GraphStatistics statistics,
                         GraphStatistics::Load(inputs_.statistics.whole_graph));
  if (!HasPairFeatures()) {
    SLICE_RETURN_IF_ERROR(statistics.Save(StatisticsFile()));
    SLICE_ASSIGN_OR_RETURN(const torch::jit::Module network,
                           MakeNetwork(inputs_));
    SLICE_RETURN_IF_ERROR(SaveNetwork(network, NetworkFile()));
    LogInfo("preset %s has no structural scorer", options.preset);
    return Json::object();
  }
  if (inputs_.options.walk_dim == 0) RemoveWalkTables(statistics);
  SLICE_ASSIGN_OR_RETURN(const TrainingExamples examples,
                         StructuralExamples(inputs_));
  SLICE_RETURN_IF_ERROR(AddScaling(inputs_, examples, statistics));
  SLICE_RETURN_IF_ERROR(statistics.Save(StatisticsFile()));
  SLICE_ASSIGN_OR_RETURN(const EncoderTables tables,
                         StructuralTables(inputs_, statistics));
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network, MakeNetwork(inputs_));
  SLICE_ASSIGN_OR_RETURN(const TrainingSummary summary,
                         TrainStructural(inputs_, examples, tables,
                                         StructuralTrainingOptions(inputs_),
                                         "structural scorer", network));
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, NetworkFile()));
  return TrainingRecord(summary);
}

absl::StatusOr<StructuralScorer> StructuralStep::Load(
    const Json& record) const {
  StructuralScorer scorer;
  scorer.statistics_file = StatisticsFile();
  scorer.network_file = NetworkFile();
  SLICE_ASSIGN_OR_RETURN(scorer.statistics,
                         GraphStatistics::Load(scorer.statistics_file));
  SLICE_ASSIGN_OR_RETURN(scorer.tables,
                         StructuralTables(inputs_, scorer.statistics));
  if (HasPairFeatures()) {
    scorer.losses.push_back(LossCurve("structural scorer", record));
  }
  return scorer;
}

}  // namespace slice
