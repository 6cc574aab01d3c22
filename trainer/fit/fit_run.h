// One run of `slice-trainer fit`: state and steps. Internal to trainer/.
#ifndef SLICE_TRAINER_FIT_FIT_RUN_H_
#define SLICE_TRAINER_FIT_FIT_RUN_H_

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "context/link_encoder.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"
#include "graphstore/node_attributes.h"
#include "model/frozen_network.h"
#include "model/prediction.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/fit/fit.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/step_log.h"
#include "trainer/learning/training_examples.h"
#include "trainer/learning/training_summary.h"
#include "trainer/statistics/spectral_factors.h"

namespace slice {

// Steps must be called in the order below, each once. Thread-compatible.
class FitRun {
 public:
  explicit FitRun(const FitOptions& options);

  // Reads the files, builds snapshots and sampler; anew each time, in seconds.
  absl::Status Import();
  // node2vec on the graph without the held-back fold, or what a file holds ->
  // embeddings.bin.
  absl::Status Embed();
  // Slot statistics, path rules, spectral factors; the last two also without
  // each fold -> graph_statistics.bin, fold.N.bin.
  absl::Status Summarize();
  // Feature scaling and the structural scorer on all train links ->
  // statistics.bin, structural.pt.
  absl::Status TrainStructural();
  // Masked-node prediction -> pretrained.pt.
  absl::Status Pretrain();
  // Everything together on the held-back fold -> model.pt and, to compare,
  // model_without_pretraining.pt.
  absl::Status FineTune();
  absl::StatusOr<FitMeasurement> MeasureValid();  // instead of the next two
  // Calibration on valid, figures on test -> report/.
  absl::Status Evaluate();
  // The bundle at options.out.
  absl::Status Publish();

 private:
  std::filesystem::path Work(const std::string& name) const;
  const GraphSnapshot& graph() const { return *snapshot_; }
  std::span<const LabelledLink> valid() const { return imported_.held_out[0]; }
  std::span<const LabelledLink> test() const { return imported_.held_out[1]; }

  absl::Status ReadAttributes();
  std::string AttributeFingerprint() const;  // "" without any
  // Rows of `structural` [nodes, dim] with the attributes behind them.
  std::vector<float> StackAttributes(std::vector<float> structural,
                                     int dim) const;
  // Without the attributes.
  std::vector<float> StructuralEmbeddings(int* dim) const;
  void PlantLeak();
  absl::Status MakeSampler();
  absl::Status FindMetapaths();
  absl::StatusOr<nlohmann::json> RunNode2vec();
  absl::StatusOr<nlohmann::json> RunEmbeddingFile();
  absl::StatusOr<nlohmann::json> RunNoEmbeddings();
  absl::Status ExportEmbeddingGraph() const;
  absl::StatusOr<nlohmann::json> RunRandomEmbeddings();
  absl::StatusOr<std::string> EmbeddingFingerprint() const;
  absl::Status SaveEmbeddings(std::vector<float> values, int dim) const;
  absl::Status LoadEmbeddings();
  int embedding_dim() const { return network_options_.embedding_dim; }
  TrainingExamples MakeExamples(std::vector<Link> positives, uint64_t salt,
                                double embedded_share = 0) const;
  LinkEncoder MakeEncoder(int contexts_per_link) const;
  absl::Status FitScaling(const TrainingExamples& examples);
  absl::StatusOr<nlohmann::json> RunStatistics();
  int SourceParts() const;
  absl::StatusOr<SpectralFactors> FactorsWithout(
      int fold, const SpectralFactorOptions& spectral) const;
  std::vector<PathRules> MineRules() const;
  absl::Status LoadStatistics();
  absl::Status LoadTables(const std::string& file);
  absl::Status MakeTables();
  absl::StatusOr<nlohmann::json> RunStructural();
  absl::StatusOr<nlohmann::json> RunPretraining();
  absl::StatusOr<nlohmann::json> RunFineTuning();
  ExampleChunk EncodeValid(const LinkEncoder& encoder,
                           const TrainingExamples& examples) const;

  absl::StatusOr<nlohmann::json> RunEvaluation();
  ModelEvaluation MakeEvaluation(const ScoringModel& model) const;
  absl::StatusOr<double> AurocOf(const std::string& network_file) const;
  absl::StatusOr<std::unique_ptr<FrozenNetwork>> LoadFrozen(
      const std::string& network_file) const;
  void AddFacts();
  Scorer DefaultScorer() const {
    return options_.structural_only() ? Scorer::kStructural : Scorer::kContext;
  }
  absl::StatusOr<nlohmann::json> RunPublish();
  absl::Status StageReport(const std::filesystem::path& staging,
                           const std::string& bundle_id) const;
  absl::Status StageGraph(const std::filesystem::path& staging) const;
  BundleManifest MakeManifest() const;

  const FitOptions options_;
  const int threads_;
  StepLog log_;

  ImportedGraph imported_;
  std::string graph_digest_;
  std::shared_ptr<const GraphSnapshot> snapshot_;  // all train links
  // What embeddings and pre-training see: without a fold, or leaky.
  std::shared_ptr<const GraphSnapshot> reduced_;
  std::vector<Link> shown_;  // of --show
  std::optional<LinkFolds> folds_;
  std::unique_ptr<NegativeSampler> sampler_;
  std::vector<double> unlinked_shares_;
  NetworkOptions network_options_;
  ContextOptions context_options_;  // with the metapaths of the graph
  GraphStatistics statistics_;
  EncoderTables tables_;                          // views into statistics_
  std::vector<GraphStatistics> fold_statistics_;  // [folds + source parts]
  std::vector<EncoderTables> fold_tables_;        // views into these
  AttributeTable attributes_;
  std::vector<float> embeddings_;  // [nodes, dim], attributes behind
  OutputReading reading_;
  std::map<std::string, double> metrics_;  // of the manifest
  TrainingReport report_;

  // Fingerprints of the finished steps: each covers those it builds on.
  std::string import_print_, embed_print_, statistics_print_, structural_print_,
      pretrain_print_, fine_tune_print_, evaluate_print_;
};

// Summaries to and from a step's record.
nlohmann::json SummaryToJson(const TrainingSummary& summary);
TrainingSummary SummaryFromJson(const nlohmann::json& json);
}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FIT_RUN_H_
