// The options of `slice-trainer fit`.
#ifndef SLICE_TRAINER_FIT_FIT_OPTIONS_H_
#define SLICE_TRAINER_FIT_FIT_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "context/context_options.h"
#include "context/own_pair_links.h"
#include "model/network_options.h"
#include "model/prediction.h"
#include "trainer/embedding/embedding_file.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/fit/fit_step.h"
#include "trainer/fit/training_files.h"
#include "trainer/learning/planted_leak.h"

namespace slice {

enum class EmbeddingSource { kNode2vec, kFile, kNone, kRandom };

struct FitOptions : TrainingFiles {
  std::filesystem::path out;  // the bundle; work is kept in <out>.work
  // Links whose attention the report shows: "relation source target", by key.
  std::vector<std::string> shown;
  std::filesystem::path warm_start;  // an older bundle; empty: from scratch
  std::string preset = "default";
  uint64_t seed = 1;
  int threads = 0;  // 0: all hardware threads; 1: reproducible to the bit
  bool strict_pairs = false;
  bool full_evaluation = false;  // of all held-out links, however long it takes
  OwnPairLinks own_pair_links = OwnPairLinks::kHide;  // or kReveal
  // Whether Fit chooses own_pair_links on valid, and why it chose; set by Fit.
  bool own_pair_auto = true;
  std::string own_pair_reason;
  FitStep last_step = FitStep::kBundle;

  // How many folds the train links are split into. In training, the spectral
  // factors, walk vectors and rule confidences that a link reads come from the
  // graph without its fold. Embeddings and
  // pre-training do not see the first fold (docs/leakage.md).
  int folds = 6;
  // The rank of the spectral factors. 0: no spectral features. kRankBySize:
  // 128, 64 beyond 2 million train links, 32 beyond 8 million; see
  // StatisticsStep.
  static constexpr int kRankBySize = -1;
  int spectral_rank = kRankBySize;
  int walk_dim = 64;  // numbers of a vector of walk features; 0: none

  // Where global embeddings come from. kNone: one zero per node. kRandom: the
  // paper's ablation without global features.
  EmbeddingSource embedding_source = EmbeddingSource::kNode2vec;
  EmbeddingFileOptions embedding_file;
  // A .npy matrix of attributes, in addition to files.attribute_columns;
  // optional.
  std::filesystem::path attribute_matrix;
  // A folder that gets links.tsv and nodes.tsv: the train links that embeddings
  // may be made from. Empty: nothing is written.
  std::filesystem::path export_embedding_graph;
  Node2vecOptions node2vec;
  ContextOptions context;
  // For the strategy `pattern`, as ParseMetapath reads them. Empty: for each
  // relation, the `common_metapaths` commonest ones in the training graph.
  std::vector<std::string> metapaths;
  int common_metapaths = 8;
  std::string pretrain_walk = "chain";  // or "beam"
  int pretrain_contexts_per_node = 1;
  std::optional<Scorer> scorer;  // the default one; absent: chosen on valid
  int contexts_per_link = 1;
  ContextPooling pooling = ContextPooling::kMean;
  NetworkOptions network;
  // The pre-trained network scores links (the paper's ablation w/o FT).
  bool without_fine_tuning = false;
  // The published protocol, for comparison only (docs/paper.md).
  bool leaky = false;

  int negatives_per_positive = 1;
  double typed_negatives = 0;  // typed_share of EstimateNegativeMix()
  // Weights beside a sum of 1 for the kinds that imitate valid.
  double self_negatives = 0.02, off_schema_negatives = 0.05;
  int among_kind_negatives = 1;
  double new_node_share = 0.02;  // of positives, with a new node as one end

  static constexpr int kEpochsBySize = 0;  // 8, and more on small graphs
  int structural_epochs = kEpochsBySize;
  double structural_learning_rate = 2e-3;
  uint64_t structural_positives = 200000;  // the most in an epoch; 0: all

  int pretrain_epochs = 1;
  double pretrain_learning_rate = 1e-3;
  bool compare_pretraining = false;  // also fine-tune without pre-training
  bool knowledge = true;             // fuse with ComplEx, where valid says so

  int fine_tune_epochs = 4;
  double fine_tune_learning_rate = 1e-3;
  uint64_t fine_tune_positives = 60000;  // the most in an epoch; 0: all
  uint64_t hard_questions = 10000;       // to learn ranking from; 0: none
  int batch_size = 512;

  // INVALID_ARGUMENT that names a wrong flag, its value and the allowed ones.
  absl::Status Validate() const;

  // "node2vec", "none", "random", or the path of a file.
  void SetEmbeddings(const std::string& value);
  // Starts from an older bundle, with shorter lengths of training.
  void SetWarmStart(const std::filesystem::path& bundle);
  // Sets the options of a preset; INVALID_ARGUMENT, listing all, for another.
  absl::Status ApplyPreset(const std::string& name);
  // Shows what a leak costs (docs/leakage.md): it warns, and publishes nothing.
  PlantedLeak planted_leak = PlantedLeak::kNone;

  // Whether the preset trains the structural scorer alone.
  bool structural_only() const { return preset == "fast"; }
  // Whether the network has a structural scorer; the paper's has none.
  bool uses_pair_features() const { return network.head != ScoreHead::kDot; }
  // The value of own_pair_links that the bundle records: kShow when leaky.
  OwnPairLinks recorded_own_pair_links() const {
    return leaky ? OwnPairLinks::kShow : own_pair_links;
  }

  absl::Status ValidateAblations() const;  // a part of Validate
  // The folder <out>.work of the steps' files, and a file in it.
  std::filesystem::path WorkFolder() const { return out.string() + ".work"; }
  std::filesystem::path WorkFile(std::string_view name) const {
    return WorkFolder() / name;
  }

  bool PublishesBundle() const {
    return last_step == FitStep::kBundle && planted_leak == PlantedLeak::kNone;
  }
  // Where a run that evaluates leaves its report.
  std::filesystem::path ReportFolder() const {
    return (PublishesBundle() ? out : WorkFolder()) / "report";
  }

  int WorkerThreads() const;  // `threads`, or all processors when it is 0
  // For `links` train links; see also StatisticsStep::CappedSpectralRank.
  int SpectralRank(size_t links) const;
  // The same of structural_epochs: from 8 to 16, for 80,000 positives together.
  int StructuralEpochs(size_t links) const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FIT_OPTIONS_H_
