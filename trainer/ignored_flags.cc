// A table: each row names flags that one part of training reads, says when that
// part is left out, and why.
#include "trainer/ignored_flags.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

struct IgnoredFlags {
  bool ignored = false;
  std::string why;
  std::vector<std::string_view> flags;
};

// Flags of the network's part that reads contexts, which the preset `fast` does
// not train.
IgnoredFlags ContextualPart(const FitOptions& options) {
  return {options.structural_only(),
          absl::StrCat("preset ", options.preset,
                       " trains the structural scorer alone"),
          {"context",
           "max-context-nodes",
           "max-hops",
           "beam-width",
           "metapaths",
           "common-metapaths",
           "contexts-per-link",
           "context-pooling",
           "layers",
           "heads",
           "hidden-dim",
           "head-dim",
           "feed-forward-dim",
           "composition",
           "gcn-layers",
           "plain-tokens",
           "embeddings",
           "global-embeddings",
           "dim",
           "pretrain-epochs",
           "fine-tune-epochs",
           "learning-rate",
           "fine-tune-learning-rate",
           "fine-tune-positives",
           "compare-pretraining"}};
}

std::vector<IgnoredFlags> TableFor(const FitOptions& options) {
  const ContextStrategy strategy = options.context.strategy;
  const bool dot = options.network.head == ScoreHead::kDot;
  const bool no_vectors = options.embedding_source == EmbeddingSource::kNone;
  return {
      ContextualPart(options),
      {dot,
       absl::StrCat("the score head dot of preset ", options.preset,
                    " has no structural scorer"),
       {"spectral-rank", "walk-dim", "structural-epochs",
        "structural-learning-rate", "structural-positives", "hard-questions"}},
      {!dot, "only --score-head dot reads it", {"layer-readout", "projection"}},
      {options.structural_only() || !options.warm_start.empty() ||
           options.embedding_source != EmbeddingSource::kNode2vec,
       absl::StrCat("preset ", options.preset,
                    " with these flags makes no vectors by node2vec"),
       {"walks-per-node", "walk-length", "window", "subsample",
        "node2vec-negatives", "node2vec-epochs", "node2vec-learning-rate", "p",
        "q"}},
      {options.structural_only() || no_vectors || options.pretrain_epochs == 0,
       absl::StrCat("preset ", options.preset,
                    " with these flags does not pre-train"),
       {"pretrain-learning-rate", "pretrain-walk",
        "pretrain-contexts-per-node"}},
      {strategy != ContextStrategy::kRandomPaths &&
           strategy != ContextStrategy::kCoherentPaths,
       "only --context random and --context coherent read it",
       {"beam-width"}},
      {strategy != ContextStrategy::kPatternPaths,
       "only --context pattern reads it",
       {"common-metapaths"}},
      {options.network.composition == Composition::kNone,
       "only a --composition other than none reads it",
       {"gcn-layers"}},
  };
}

}  // namespace

std::string WhyIgnored(const FitOptions& options, std::string_view flag) {
  std::string name(flag);
  std::replace(name.begin(), name.end(), '_', '-');
  for (const IgnoredFlags& row : TableFor(options)) {
    if (row.ignored && std::find(row.flags.begin(), row.flags.end(), name) !=
                           row.flags.end()) {
      return row.why;
    }
  }
  return "";
}

}  // namespace slice
