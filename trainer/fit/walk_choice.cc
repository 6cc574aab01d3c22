#include "trainer/fit/walk_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_format.h"

namespace slice {
namespace {

constexpr double kLeastGain = 0.001, kNoise = 0.1;

double Mean(const QuestionAurocs& aurocs) {
  return std::accumulate(aurocs.begin(), aurocs.end(), 0.0) / kQuestions;
}

}  // namespace

void WalkChoice::ApplyTo(LearningInputs& inputs) const {
  inputs.walk_reason = reason;
  if (used) return;
  inputs.options.walk_dim = 0;
  inputs.training.network.pair_features =
      static_cast<int>(inputs.PairFeatureNames().size());
}

WalkChoice ChooseWalks(const QuestionAurocs& without,
                       const QuestionAurocs& with, size_t valid_rows) {
  const double noise =
      kNoise / std::sqrt(static_cast<double>(std::max<size_t>(1, valid_rows)));
  WalkChoice choice;
  choice.used = Mean(with) - Mean(without) >= std::max(kLeastGain, noise);
  choice.reason = absl::StrFormat(
      "%s: with short trainings, the AUROCs of both questions on valid are "
      "%.2f and %.2f with them, %.2f and %.2f without",
      choice.used ? "used" : "not used", 100 * with[0], 100 * with[1],
      100 * without[0], 100 * without[1]);
  return choice;
}

}  // namespace slice
