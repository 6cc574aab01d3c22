// Fine-tunes the whole network on labelled links, in these steps:
//   1. the pre-trained network and, with --compare-pretraining, the network of
//      the structural step are trained side by side on the same examples;
//   2. examples are made from train links. Half of an epoch's positives are
//      links of the held fold. Their tokens have embeddings, since the
//      embeddings were made without these links. The tokens of all other
//      examples have none;
//   3. each network keeps the parameters of its best epoch on the valid links.
#include "trainer/fit/fine_tuning_step.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "model/torch/network.h"
#include "trainer/fit/embedding_tensor.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/training_record.h"
#include "trainer/learning/network_training.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kSalt = 2;
constexpr double kEmbeddedShare = 0.5;

NetworkTrainingOptions TrainingOptionsFor(const LearningInputs& inputs) {
  const FitOptions& options = inputs.options;
  NetworkTrainingOptions training;
  training.trained_columns = inputs.embeddings.trained_columns;
  training.epochs = options.fine_tune_epochs;
  training.pooling = options.pooling;
  training.replicas = options.compare_pretraining ? 1 : options.WorkerThreads();
  training.batch_size = options.batch_size;
  training.learning_rate = options.fine_tune_learning_rate;
  training.positives_per_epoch = options.fine_tune_positives;
  training.threads = options.WorkerThreads();
  training.seed = options.seed;
  return training;
}

}  // namespace

std::filesystem::path FineTuningStep::NetworkFile() const {
  return inputs_.options.WorkFile("model.pt");
}

std::filesystem::path FineTuningStep::NetworkWithoutPretrainingFile() const {
  return inputs_.options.WorkFile("model_without_pretraining.pt");
}

std::filesystem::path FineTuningStep::EmbeddingFile() const {
  return inputs_.options.WorkFile("fine_tuned_embeddings.bin");
}

bool FineTuningStep::KeepsPretrained() const {
  const FitOptions& options = inputs_.options;
  return options.structural_only() || options.without_fine_tuning;
}

absl::StatusOr<StepFingerprint> FineTuningStep::Fingerprint() const {
  const FitOptions& options = inputs_.options;
  return MakeStepFingerprint(
      kName,
      {{"the step pretrain", pretrained_.fingerprint},
       {"--fine-tune-epochs", options.fine_tune_epochs},
       {"--learning-rate", options.fine_tune_learning_rate},
       {"--fine-tune-positives", options.fine_tune_positives},
       {"--contexts-per-link", options.contexts_per_link},
       {"--context-pooling", std::string(ContextPoolingName(options.pooling))},
       {"--without-fine-tuning", options.without_fine_tuning},
       {"--compare-pretraining", options.compare_pretraining}});
}

// The score head `dot` has no structural part to fall back on where embeddings
// are withheld, so it learns only from links whose tokens have embeddings.
std::vector<Link> FineTuningStep::Positives() const {
  const FitOptions& options = inputs_.options;
  if (options.uses_pair_features() || options.leaky) {
    return AllLinks(inputs_.graph());
  }
  return LinksOfFold(inputs_.graph(), inputs_.training.folds, kHeldFold);
}

absl::StatusOr<Json> FineTuningStep::Run() const {
  const FitOptions& options = inputs_.options;
  std::vector<torch::jit::Module> arms;
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module pretrained,
                         LoadNetwork(pretrained_.network_file));
  if (KeepsPretrained()) {
    SLICE_RETURN_IF_ERROR(SaveNetwork(pretrained, NetworkFile()));
    return Json{{"with", Json::object()}};
  }
  arms.push_back(std::move(pretrained));
  if (options.compare_pretraining) {
    SLICE_ASSIGN_OR_RETURN(torch::jit::Module scratch,
                           LoadNetwork(structural_.network_file));
    arms.push_back(std::move(scratch));
  }
  SLICE_ASSIGN_OR_RETURN(
      const TrainingExamples examples,
      inputs_.Examples({Positives(), kSalt, kEmbeddedShare}));
  const LinkEncoder encoder =
      inputs_.Encoder(structural_.tables, options.contexts_per_link);
  const ExampleChunk valid = inputs_.EncodeValid(encoder, examples);
  const TrainingData data{&examples, &encoder,
                          &valid,    nullptr,
                          {},        TrainingEmbeddings(inputs_.embeddings)};
  SLICE_ASSIGN_OR_RETURN(
      const auto summaries,
      TrainNetworks(arms, TrainingScope::kWhole, data,
                    TrainingOptionsFor(inputs_), "fine-tuning"));
  SLICE_RETURN_IF_ERROR(SaveNetwork(arms[0], NetworkFile()));
  if (inputs_.embeddings.trained_columns > 0) {
    SLICE_RETURN_IF_ERROR(SaveEmbeddings(data.embeddings, EmbeddingFile()));
  }
  Json record = {{"with", TrainingRecord(summaries[0])}};
  if (options.compare_pretraining) {
    SLICE_RETURN_IF_ERROR(
        SaveNetwork(arms[1], NetworkWithoutPretrainingFile()));
    record["without"] = TrainingRecord(summaries[1]);
  }
  return record;
}

absl::StatusOr<FineTunedNetwork> FineTuningStep::Load(
    const Json& record) const {
  FineTunedNetwork network;
  network.network_file = NetworkFile();
  if (!KeepsPretrained() && inputs_.embeddings.trained_columns > 0) {
    SLICE_ASSIGN_OR_RETURN(network.embeddings,
                           WithValuesOf(EmbeddingFile(), inputs_.embeddings));
  }
  network.losses.push_back(LossCurve("fine-tuning", record["with"]));
  if (record.contains("without")) {
    network.network_without_pretraining_file = NetworkWithoutPretrainingFile();
    network.losses.push_back(
        LossCurve("fine-tuning without pre-training", record["without"]));
  }
  return network;
}

}  // namespace slice
