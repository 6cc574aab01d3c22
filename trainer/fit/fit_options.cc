// Presets and checks of the options of a training run. A preset sets options
// that the flags on the command line may change afterwards. Validate checks the
// range of each number, then options that need or exclude each other, then the
// options of node2vec and of contexts by their own Validate. The options of the
// network are checked when the files are read (trainer/fit/import_step.h),
// since the graph sets some of them.
#include "trainer/fit/fit_options.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/processor_count.h"
#include "common/range_check.h"
#include "common/status_macros.h"

namespace slice {
namespace {

// What a training that starts from an older bundle still needs. The network has
// been pre-trained, and knows most links.
void ShortenTraining(FitOptions& options) {
  options.structural_epochs = 3;
  options.structural_learning_rate = 1e-3;
  options.pretrain_epochs = 0;
  options.fine_tune_epochs = 2;
  options.fine_tune_learning_rate = 5e-4;
}

}  // namespace

absl::Status FitOptions::ApplyPreset(const std::string& name) {
  constexpr const char* kNames[] = {"default", "fast", "paper", "paper-leaky"};
  if (std::find(std::begin(kNames), std::end(kNames), name) ==
      std::end(kNames)) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown preset '", name, "'; the presets are ",
                     absl::StrJoin(kNames, ", ")));
  }
  leaky = name == "paper-leaky";
  SLICE_ASSIGN_OR_RETURN(network, NetworkPreset(name == "fast" ? "default"
                                                : leaky        ? "paper"
                                                               : name));
  preset = name;
  if (name == "fast") {
    embedding_source = EmbeddingSource::kNone;
    walk_dim = 0;
    knowledge = false;
    hard_questions = 0;
  }
  if (name == "paper" || leaky) {
    // Section 3.7 of the paper.
    node2vec = PaperNode2vec();
    pooling = ContextPooling::kMax;
    new_node_share = 0;
    context.strategy = ContextStrategy::kShortestPaths;
    context.max_nodes = 6;
    pretrain_epochs = 10;
    pretrain_learning_rate = 1e-4;
    fine_tune_epochs = 10;
    fine_tune_learning_rate = 1e-3;
    batch_size = 128;
  }
  if (!warm_start.empty()) ShortenTraining(*this);
  return absl::OkStatus();
}

void FitOptions::SetWarmStart(const std::filesystem::path& bundle) {
  warm_start = bundle;
  ShortenTraining(*this);
}

void FitOptions::SetEmbeddings(const std::string& value) {
  embedding_source = value == "node2vec" ? EmbeddingSource::kNode2vec
                     : value == "none"   ? EmbeddingSource::kNone
                     : value == "random" ? EmbeddingSource::kRandom
                                         : EmbeddingSource::kFile;
  if (embedding_source == EmbeddingSource::kFile) embedding_file.path = value;
}

absl::Status FitOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(ValidateFiles());
  if (out.empty()) return absl::InvalidArgumentError("--out is missing");
  const RangedNumber numbers[] = {
      {"threads", double(threads), 0, 1024},
      {"folds", double(folds), 2, 100},
      {"spectral-rank", double(spectral_rank), kRankBySize, 1024},
      {"walk-dim", double(walk_dim), 0, 1024},
      {"contexts-per-link", double(contexts_per_link), 1, 16},
      {"negatives", double(negatives_per_positive), 1, 100},
      {"pretrain-contexts-per-node", double(pretrain_contexts_per_node), 1,
       1000},
      {"common-metapaths", double(common_metapaths), 1, 1000},
      {"typed-negatives", typed_negatives, 0, 100},
      {"self-negatives", self_negatives, 0, 100},
      {"off-schema-negatives", off_schema_negatives, 0, 100},
      {"new-node-share", new_node_share, 0, 0.5},
      {"structural-epochs", double(structural_epochs), kEpochsBySize, 1000},
      {"structural-learning-rate", structural_learning_rate, 1e-7, 10},
      {"pretrain-epochs", double(pretrain_epochs), 0, 1000},
      {"pretrain-learning-rate", pretrain_learning_rate, 1e-7, 10},
      {"fine-tune-epochs", double(fine_tune_epochs), 1, 1000},
      {"learning-rate", fine_tune_learning_rate, 1e-7, 10},
      {"batch-size", double(batch_size), 1, 65536},
  };
  SLICE_RETURN_IF_ERROR(CheckRanges("--", numbers));
  if (own_pair_links == OwnPairLinks::kShow) {
    return absl::InvalidArgumentError(
        "--own-pair-links is 'show'; use hide or reveal");
  }
  if (contexts_per_link > 1 && !UsesSeed(context.strategy)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--contexts-per-link above 1 needs a --context that draws at random "
        "(random, walks or khop): with --context ",
        std::string(ContextStrategyName(context.strategy)),
        " a link has only one context"));
  }
  if (!metapaths.empty() &&
      context.strategy != ContextStrategy::kPatternPaths) {
    return absl::InvalidArgumentError("--metapaths needs --context pattern");
  }
  if (embedding_source != EmbeddingSource::kFile &&
      (!embedding_file.keys.empty() || embedding_file.fill_missing)) {
    return absl::InvalidArgumentError(
        "--embedding-keys and --fill-missing-embeddings need --embeddings "
        "FILE");
  }
  SLICE_RETURN_IF_ERROR(ValidateAblations());
  SLICE_RETURN_IF_ERROR(node2vec.Validate());
  SLICE_RETURN_IF_ERROR(ParseNodeWalk(pretrain_walk).status());
  ContextOptions checked = context;
  // The strategy `pattern` gets its metapaths from the graph later; here an
  // empty one stands in for them.
  if (checked.metapaths.empty()) checked.metapaths.emplace_back();
  return checked.Validate();
}

absl::Status FitOptions::ValidateAblations() const {
  const Scorer only =
      structural_only() ? Scorer::kStructural : Scorer::kContext;
  if ((structural_only() || !uses_pair_features()) &&
      scorer.value_or(only) != only) {
    return absl::InvalidArgumentError(
        absl::StrCat("--scorer ", std::string(ScorerName(*scorer)),
                     " cannot be used here: this network has the scorer ",
                     std::string(ScorerName(only)), " alone"));
  }
  if (without_fine_tuning && network.head != ScoreHead::kDot) {
    return absl::InvalidArgumentError(
        "--without-fine-tuning needs --score-head dot (or --preset paper): the "
        "other head knows nothing before it is fine-tuned");
  }
  if (compare_pretraining && embedding_source == EmbeddingSource::kRandom) {
    return absl::InvalidArgumentError(
        "--compare-pretraining cannot be used with --without-global-features, "
        "whose random vectors can be trained with one network only");
  }
  const bool warm = !warm_start.empty();
  if (warm && !new_to.empty()) {
    return absl::InvalidArgumentError(
        "--new-to cannot be used with --warm-start, whose own bundle it is "
        "then; leave one of them out");
  }
  if (warm && embedding_source != EmbeddingSource::kNode2vec &&
      embedding_source != EmbeddingSource::kNone) {
    return absl::InvalidArgumentError(
        "--warm-start takes the embeddings of the older bundle; leave "
        "--embeddings and --without-global-features out");
  }
  if (warm &&
      (leaky || planted_leak != PlantedLeak::kNone || compare_pretraining)) {
    return absl::InvalidArgumentError(
        "--warm-start cannot be used with --preset paper-leaky, --plant-leak "
        "or --compare-pretraining, which compare trainings from scratch");
  }
  if (leaky && own_pair_links != OwnPairLinks::kHide) {
    return absl::InvalidArgumentError(
        "--own-pair-links cannot be used with --preset paper-leaky, in which "
        "every training example sees its own link, as in the published "
        "protocol");
  }
  return absl::OkStatus();
}

int FitOptions::SpectralRank(size_t links) const {
  if (spectral_rank != kRankBySize) return spectral_rank;
  return links <= 2'000'000 ? 128 : links <= 8'000'000 ? 64 : 32;
}

int FitOptions::StructuralEpochs(size_t links) const {
  constexpr size_t kPositives = 80'000, kLeast = 8, kMost = 16;
  if (structural_epochs != kEpochsBySize) return structural_epochs;
  const size_t wanted = kPositives / std::max<size_t>(1, links);
  return static_cast<int>(std::clamp(wanted, kLeast, kMost));
}

int FitOptions::WorkerThreads() const {
  return threads > 0 ? threads : ProcessorCount();
}

}  // namespace slice
