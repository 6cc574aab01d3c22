// Pre-trains the network of the structural step on the graph that the
// embeddings were made from: one node of each context is masked, and the
// network must pick the embedding of that node. Contexts are small, and have no
// links of the held fold.
#include "trainer/fit/pretraining_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/logging.h"
#include "common/status_macros.h"
#include "context/context_generator.h"
#include "model/torch/network.h"
#include "trainer/fit/embedding_tensor.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/training_record.h"
#include "trainer/learning/pretraining.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr int kMostContextNodes = 6;
// Increase this when the same options come to train another network.
constexpr int kVersion = 2;

// Adds what contexts depend on to the parts of a step.
void AddContext(const ContextOptions& options, Json& parts) {
  Json metapaths = Json::array();
  for (const Metapath& metapath : options.metapaths) {
    metapaths.push_back({{"asked", metapath.asked}, {"steps", metapath.steps}});
  }
  parts["--context"] = std::string(ContextStrategyName(options.strategy));
  parts["--max-context-nodes"] = options.max_nodes;
  parts["--max-hops"] = options.max_hops;
  parts["the most neighbours of a hub"] = options.max_degree;
  parts["the most arcs of a search"] = options.max_expanded_arcs;
  parts["--beam-width"] = options.beam_width;
  parts["--metapaths"] = metapaths;
}

absl::StatusOr<PretrainingOptions> PretrainingOptionsFor(
    const LearningInputs& inputs) {
  const FitOptions& options = inputs.options;
  PretrainingOptions pretraining;
  pretraining.epochs = options.pretrain_epochs;
  pretraining.contexts_per_node = options.pretrain_contexts_per_node;
  SLICE_ASSIGN_OR_RETURN(pretraining.walk,
                         ParseNodeWalk(options.pretrain_walk));
  // The paper's batches are as large as in fine-tuning.
  const bool is_paper = options.network.head == ScoreHead::kDot;
  pretraining.batch_size =
      is_paper ? options.batch_size : options.batch_size / 2 + 1;
  pretraining.trained_columns = inputs.embeddings.trained_columns;
  pretraining.learning_rate = options.pretrain_learning_rate;
  pretraining.threads = options.WorkerThreads();
  pretraining.seed = options.seed;
  return pretraining;
}

bool IsPretrained(const FitOptions& options) {
  return !options.structural_only() &&
         options.embedding_source != EmbeddingSource::kNone &&
         options.pretrain_epochs > 0;
}

}  // namespace

std::filesystem::path PretrainingStep::NetworkFile() const {
  return inputs_.options.WorkFile("pretrained.pt");
}

std::filesystem::path PretrainingStep::EmbeddingFile() const {
  return inputs_.options.WorkFile("pretrained_embeddings.bin");
}

bool PretrainingStep::TrainsEmbeddings() const {
  return IsPretrained(inputs_.options) &&
         inputs_.embeddings.trained_columns > 0;
}

absl::StatusOr<StepFingerprint> PretrainingStep::Fingerprint() const {
  const FitOptions& options = inputs_.options;
  Json parts = {
      {"the step embed", inputs_.embeddings.fingerprint},
      {"the step structural", structural_.fingerprint},
      {"--pretrain-epochs", options.pretrain_epochs},
      {"--pretrain-learning-rate", options.pretrain_learning_rate},
      {"--pretrain-walk", options.pretrain_walk},
      {"--pretrain-contexts-per-node", options.pretrain_contexts_per_node},
      {"the version of pre-training", kVersion}};
  AddContext(inputs_.training.context, parts);
  return MakeStepFingerprint(kName, parts);
}

absl::StatusOr<Json> PretrainingStep::Run() const {
  const FitOptions& options = inputs_.options;
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         LoadNetwork(structural_.network_file));
  TrainingSummary summary;
  if (IsPretrained(options)) {
    SLICE_ASSIGN_OR_RETURN(const PretrainingOptions pretraining,
                           PretrainingOptionsFor(inputs_));
    const at::Tensor embeddings = TrainingEmbeddings(inputs_.embeddings);
    ContextOptions walks = inputs_.training.context;
    walks.max_nodes = std::min(walks.max_nodes, kMostContextNodes);
    SLICE_ASSIGN_OR_RETURN(
        summary,
        PretrainNetwork(network, GraphView(*inputs_.training.embedding_graph),
                        ContextGenerator(walks), embeddings, pretraining));
    if (TrainsEmbeddings()) {
      SLICE_RETURN_IF_ERROR(SaveEmbeddings(embeddings, EmbeddingFile()));
    }
  } else {
    LogInfo("no pre-training%s",
            options.pretrain_epochs == 0
                ? ", as asked"
                : ": without embeddings, masked nodes cannot be told apart");
  }
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, NetworkFile()));
  return TrainingRecord(summary);
}

absl::StatusOr<PretrainedNetwork> PretrainingStep::Load(
    const Json& record) const {
  PretrainedNetwork pretrained;
  pretrained.network_file = NetworkFile();
  if (TrainsEmbeddings()) {
    SLICE_ASSIGN_OR_RETURN(pretrained.embeddings,
                           WithValuesOf(EmbeddingFile(), inputs_.embeddings));
  }
  NamedCurve curve = LossCurve("pre-training", record);
  if (!curve.points.empty()) pretrained.losses.push_back(std::move(curve));
  return pretrained;
}

}  // namespace slice
