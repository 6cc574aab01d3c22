// Everything `slice-trainer fit` can be told.
#ifndef SLICE_TRAINER_FIT_FIT_OPTIONS_H_
#define SLICE_TRAINER_FIT_FIT_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "context/context_options.h"
#include "context/own_pair_links.h"
#include "graphstore/edge_list_import_options.h"
#include "model/network_options.h"
#include "model/prediction.h"
#include "trainer/embedding/embedding_file.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/learning/training_view.h"

namespace slice {

// The steps of a run, in order.
enum class FitStep {
  kEmbed,
  kStatistics,
  kStructural,
  kPretrain,
  kFineTune,
  kEvaluate,
  kBundle
};
inline constexpr int kFitSteps = 7;

enum class EmbeddingSource { kNode2vec, kFile, kNone, kRandom };

struct FitOptions {
  std::filesystem::path train, valid, test;
  std::filesystem::path nodes;  // optional
  EdgeListImportOptions files;  // of this, what the columns hold
  std::filesystem::path out;    // the bundle; work is kept in <out>.work

  // "relation source target", by key: links whose attention the report shows.
  std::vector<std::string> shown;

  std::string preset = "default";
  uint64_t seed = 1;
  int threads = 0;  // 0: all hardware threads; 1: reproducible to the bit
  bool strict_pairs = false;
  OwnPairLinks own_pair_links = OwnPairLinks::kHide;  // or kReveal
  FitStep last_step = FitStep::kBundle;

  // Train links are split into this many folds: spectral features of a link are
  // those of the graph without its fold, and the first fold is kept from the
  // embeddings and from pre-training (docs/leakage.md).
  int folds = 6;
  // 0: no spectral features; kRankBySize: 128, 64 beyond 2 million train links,
  // 32 beyond 8 million, so that factors of a large graph stay affordable.
  static constexpr int kRankBySize = -1;
  int spectral_rank = kRankBySize;

  // Where global embeddings come from: node2vec, a file (embedding_file), or
  // nowhere (one number per node, zero); or random vectors (the paper's
  // ablation without global features).
  EmbeddingSource embedding_source = EmbeddingSource::kNode2vec;
  EmbeddingFileOptions embedding_file;
  // A .npy matrix of numbers per node, beside files.attribute_columns.
  std::filesystem::path attribute_matrix;
  // A folder that receives links.tsv and nodes.tsv: what embeddings may be made
  // from, the train links without the held-back fold. Empty: nothing.
  std::filesystem::path export_embedding_graph;
  Node2vecOptions node2vec;
  ContextOptions context;
  // For the strategy `pattern`, as ParseMetapath reads them; none: for each
  // relation the commonest of training, this many.
  std::vector<std::string> metapaths;
  int common_metapaths = 8;
  std::string pretrain_walk = "chain";  // or "beam"
  int pretrain_contexts_per_node = 1;
  int contexts_per_link = 1;
  ContextPooling pooling = ContextPooling::kMean;
  NetworkOptions network;
  // Score by the pre-trained network (the paper's ablation w/o FT).
  bool without_fine_tuning = false;
  // The published protocol, for comparison only: held-out links in the graph
  // that embeddings and pre-training see, and every link shown to itself.
  bool leaky = false;

  int negatives_per_positive = 1;
  double typed_negatives = 0;  // in the mix of the first question
  int among_kind_negatives = 1;

  int structural_epochs = 8;
  double structural_learning_rate = 2e-3;
  uint64_t structural_positives = 200000;  // an epoch at most

  int pretrain_epochs = 1;
  double pretrain_learning_rate = 1e-3;
  bool compare_pretraining = false;  // also fine-tune without it

  int fine_tune_epochs = 4;
  double fine_tune_learning_rate = 1e-3;
  uint64_t fine_tune_positives = 60000;  // an epoch at most
  int batch_size = 512;

  // INVALID_ARGUMENT naming the flag, its value and what it may be.
  absl::Status Validate() const;

  // Sets where embeddings come from: "node2vec", "none", "random", or the path
  // of a file.
  void SetEmbeddings(const std::string& value);

  // Sets what the preset says ("default", "fast", "paper", "paper-leaky").
  // INVALID_ARGUMENT for another name.
  absl::Status ApplyPreset(const std::string& name);

  // What a leak costs, for docs/leakage.md; reported loudly, never served.
  PlantedLeak planted_leak = PlantedLeak::kNone;

  // Whether a preset trains the structural scorer alone.
  bool structural_only() const { return preset == "fast"; }
  // Whether the network has a structural scorer: not the paper's.
  bool uses_pair_features() const { return network.head != ScoreHead::kDot; }
  // What the bundle records: kShow when leaky.
  OwnPairLinks recorded_own_pair_links() const {
    return leaky ? OwnPairLinks::kShow : own_pair_links;
  }

  // Those of a switch that another one rules out.
  absl::Status ValidateAblations() const;

  // The folder that steps leave their files in, <out>.work, and a file of it.
  std::filesystem::path WorkFolder() const { return out.string() + ".work"; }
  std::filesystem::path WorkFile(std::string_view name) const {
    return WorkFolder() / name;
  }

  // threads, with 0 resolved.
  int WorkerThreads() const;
  // spectral_rank, with kRankBySize resolved.
  int SpectralRank(size_t links) const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FIT_OPTIONS_H_
