#include "trainer/fit/evaluation_limits.h"

#include <algorithm>
#include <cstdint>

namespace slice {
namespace {

// From this many examples on, training takes longer than any evaluation.
constexpr size_t kLongTraining = 2'000'000;
constexpr size_t kFewestRows = 1000;
constexpr size_t kLinksPerScore = 170;

// How many examples all epochs of a training together have.
size_t ExamplesOf(const FitOptions& options, size_t links) {
  const auto in_epochs = [&](int epochs, uint64_t most) {
    return static_cast<size_t>(epochs) *
           (most == 0 ? links : std::min<size_t>(links, most));
  };
  size_t positives = 0;
  if (options.uses_pair_features()) {
    positives += in_epochs(options.StructuralEpochs(links),
                           options.structural_positives);
  }
  if (!options.structural_only() && !options.without_fine_tuning) {
    positives +=
        in_epochs(options.fine_tune_epochs, options.fine_tune_positives);
  }
  return positives * static_cast<size_t>(1 + options.negatives_per_positive +
                                         options.among_kind_negatives);
}

}  // namespace

EvaluationLimits EvaluationLimitsOf(const FitOptions& options, size_t links) {
  EvaluationLimits limits;
  const size_t examples = ExamplesOf(options, links);
  if (options.full_evaluation || examples >= kLongTraining) return limits;
  limits.rows = std::max(kFewestRows, examples / 10);
  limits.ranking_scores = examples * 10 / 4;
  limits.scores_per_question = links / kLinksPerScore;
  return limits;
}

}  // namespace slice
