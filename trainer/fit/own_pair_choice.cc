#include "trainer/fit/own_pair_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "model/bundle_manifest.h"

namespace slice {
namespace {

constexpr double kLeastGainInMrr = 0.02;  // of the MRR
constexpr double kLeastGainInAuroc = 0.001;
constexpr double kMostLossInAuroc = 0.005;
// Two standard errors are at most this divided by the root of how many
// questions or rows were measured.
constexpr double kNoiseOfMrr = 0.6, kNoiseOfAuroc = 0.3;

double MeanAuroc(const OwnPairFigures& figures) {
  return std::accumulate(figures.auroc.begin(), figures.auroc.end(), 0.0) /
         kQuestions;
}

bool IsRevealBetter(const OwnPairFigures& hide, const OwnPairFigures& reveal) {
  const double gain = MeanAuroc(reveal) - MeanAuroc(hide);
  const auto noise = [](double of_one, size_t count) {
    return of_one / std::sqrt(static_cast<double>(std::max<size_t>(1, count)));
  };
  const double threshold =
      std::max(kLeastGainInMrr * hide.mrr, noise(kNoiseOfMrr, hide.questions));
  if (reveal.mrr > hide.mrr + threshold) return gain >= -kMostLossInAuroc;
  return reveal.mrr >= hide.mrr - threshold &&
         gain >= std::max(kLeastGainInAuroc, noise(kNoiseOfAuroc, hide.rows));
}

std::string Describe(const OwnPairFigures& figures) {
  return absl::StrFormat(
      "MRR %.3f, AUROC %.2f and %.2f", figures.mrr,
      100 * figures.auroc[static_cast<size_t>(Question::kPlausible)],
      100 * figures.auroc[static_cast<size_t>(Question::kAmongKind)]);
}

}  // namespace

void OwnPairChoice::ApplyTo(FitOptions* options) const {
  options->own_pair_links = links;
  options->own_pair_reason = reason;
  options->own_pair_auto = false;
}

bool DecidesOwnPairOnValid(const FitOptions& options) {
  return options.own_pair_auto && options.warm_start.empty() &&
         options.uses_pair_features() && !options.leaky &&
         options.planted_leak == PlantedLeak::kNone;
}

absl::Status DecideOwnPairByOptions(FitOptions* options) {
  if (!options->own_pair_auto || DecidesOwnPairOnValid(*options)) {
    return absl::OkStatus();
  }
  OwnPairChoice choice;
  choice.reason = "hide, as without a choice on valid";
  if (!options->warm_start.empty()) {
    SLICE_ASSIGN_OR_RETURN(const std::string json,
                           ReadFile(options->warm_start / "MANIFEST.json"));
    SLICE_ASSIGN_OR_RETURN(const BundleManifest manifest,
                           ManifestFromJson(json));
    choice.links = manifest.own_pair_links;
    choice.reason = absl::StrCat(OwnPairLinksName(choice.links),
                                 ", as the older bundle was trained");
  }
  choice.ApplyTo(options);
  return absl::OkStatus();
}

OwnPairChoice ChooseOwnPair(const OwnPairFigures& hide,
                            const OwnPairFigures& reveal) {
  const bool reveals = IsRevealBetter(hide, reveal);
  OwnPairChoice choice;
  choice.links = reveals ? OwnPairLinks::kReveal : OwnPairLinks::kHide;
  choice.reason = absl::StrCat(
      reveals ? "reveal is better" : "hide, as reveal is not better",
      ": with short trainings on valid, hide has ", Describe(hide), ", reveal ",
      Describe(reveal), " (", hide.questions,
      " ranking questions; AUROC of both questions, %)");
  return choice;
}

}  // namespace slice
