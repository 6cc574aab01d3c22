#include "trainer/fit/own_pair_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/ranking_choice.h"
#include "trainer/fit/frozen_model.h"
#include "trainer/fit/step_log.h"
#include "trainer/fit/structural_parts.h"
#include "trainer/fit/trained_model.h"
#include "trainer/fit/training_steps.h"
#include "trainer/fit/validation_step.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Increase this when the same files come to give another choice.
constexpr int kOwnPairVersion = 4;
// Below this share of valid links with another link between their ends, both
// ways answer alike.
constexpr double kLeastShare = 0.01;
// Of a trial.
constexpr int kEpochs = 4;
constexpr uint64_t kPositives = 50'000;  // in an epoch
constexpr size_t kRows = 10'000;         // of valid
constexpr size_t kRankingScores = 20'000'000;
constexpr int kTrialSteps = 5;
// Trials on larger graphs have no spectral features, which would take most of
// their time. On small graphs these features may decide the choice.
constexpr size_t kLinksForFactors = 50'000;

struct LinkedPairs {
  size_t linked = 0, all = 0;

  double share() const {
    return static_cast<double>(linked) /
           static_cast<double>(std::max<size_t>(1, all));
  }
};

// The positives of valid whose ends a link of train joins.
LinkedPairs CountLinkedPairs(const ImportedTraining& training) {
  LinkedPairs pairs;
  for (const LabelledLink& row : training.valid()) {
    if (!row.positive) continue;
    ++pairs.all;
    pairs.linked +=
        training.graph().AreNeighbors(row.link.source, row.link.target);
  }
  return pairs;
}

}  // namespace

absl::StatusOr<StepFingerprint> OwnPairStep::Fingerprint() const {
  const FitOptions trial = TrialOptions(OwnPairLinks::kHide);
  Json parts = StructuralParts(trial);
  parts.erase("--own-pair-links");
  parts["--spectral-rank"] = trial.spectral_rank;
  parts["the version of the choice"] = kOwnPairVersion;
  return MakeStepFingerprint(kName, parts, training_.parts);
}

FitOptions OwnPairStep::TrialOptions(OwnPairLinks links) const {
  FitOptions trial = options_;
  trial.ApplyPreset("fast").IgnoreError();  // a name that exists
  trial.own_pair_links = links;
  trial.own_pair_auto = false;
  trial.knowledge = false;
  trial.hard_questions = 0;
  if (training_.graph().link_count() > kLinksForFactors)
    trial.spectral_rank = 0;
  trial.structural_epochs = kEpochs;
  trial.structural_positives = kPositives;
  trial.compare_pretraining = false;
  trial.scorer.reset();
  trial.out =
      options_.WorkFile(absl::StrCat("own_pair/", OwnPairLinksName(links)));
  return trial;
}

absl::StatusOr<OwnPairFigures> OwnPairStep::Try(OwnPairLinks links) const {
  LogInfo(
      "a short training with --own-pair-links %s, to decide on it; its %d "
      "steps "
      "are not those of the run",
      OwnPairLinksName(links), kTrialSteps);
  const FitOptions trial = TrialOptions(links);
  SLICE_RETURN_IF_ERROR(CreateDirectories(trial.WorkFolder()));
  StepLog log(trial.WorkFolder(), kTrialSteps);
  SLICE_ASSIGN_OR_RETURN(ImportedTraining training, ImportTraining(trial));
  SLICE_ASSIGN_OR_RETURN(
      const std::optional<TrainedModel> model,
      RunTrainingSteps(trial, std::move(training), FitStep::kFineTune, log));
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(*model, model->fine_tuned.network_file));
  ModelEvaluation evaluation = frozen.Evaluation();
  evaluation.limits.rows = kRows;
  evaluation.limits.ranking_scores = kRankingScores;
  SLICE_ASSIGN_OR_RETURN(const auto by_question, MeasureOnValid(evaluation));
  SLICE_ASSIGN_OR_RETURN(const RankingChoice ranked,
                         ChooseRanking(evaluation, {.measure = true}));
  OwnPairFigures figures;
  for (size_t q = 0; q < kQuestions; ++q)
    figures.auroc[q] = by_question[q].auroc;
  figures.mrr = ranked.mean_reciprocal_rank;
  figures.questions = ranked.asked;
  figures.rows = std::min(kRows, evaluation.valid.size());
  return figures;
}

absl::StatusOr<Json> OwnPairStep::Run() const {
  const LinkedPairs pairs = CountLinkedPairs(training_);
  OwnPairChoice choice;
  if (pairs.share() < kLeastShare) {
    choice.reason = absl::StrCat(
        "hide: train joins the ends of ",
        pairs.linked == 0 ? "none" : absl::StrCat("only ", pairs.linked),
        " of ", pairs.all, " valid links in another way",
        options_.splits_links()
            ? "; the split keeps the links of a pair together, so that valid "
              "cannot tell (--own-pair-links reveal shows a question the other "
              "links of its pair)"
            : "");
  } else {
    SLICE_ASSIGN_OR_RETURN(const OwnPairFigures hide, Try(OwnPairLinks::kHide));
    SLICE_ASSIGN_OR_RETURN(const OwnPairFigures reveal,
                           Try(OwnPairLinks::kReveal));
    choice = ChooseOwnPair(hide, reveal);
  }
  return Json{{"links", OwnPairLinksName(choice.links)},
              {"reason", choice.reason}};
}

absl::StatusOr<OwnPairChoice> OwnPairStep::Load(const Json& record) const {
  OwnPairChoice choice;
  SLICE_ASSIGN_OR_RETURN(choice.links,
                         ParseOwnPairLinks(record["links"].get<std::string>()));
  choice.reason = record["reason"].get<std::string>();
  return choice;
}

}  // namespace slice
