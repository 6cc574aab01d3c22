// CalibrateByRelation works in these steps:
//   1. one scaling and one threshold for all rows (CalibrateTogether);
//   2. ChooseShrinkage deals the rows to folds. For each candidate it fits on
//      all folds but one and measures on the one left out: first the deviations
//      of the prior, by log loss, then the thresholds, by F1 and accuracy;
//   3. CalibrateRelations fits every relation on all of its rows.
// The own threshold of a relation is the one that gains most when a link that
// is called a link gains 1 - t and a non-link loses t, where t is the common
// threshold. That is what moves the F1 of all relations together most.
#include "trainer/evaluation/relation_calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "common/random.h"
#include "trainer/metrics.h"
#include "trainer/platt_scaling.h"

namespace slice {
namespace {

constexpr int kFolds = 5;
constexpr double kScaleDeviations[] = {0, 0.1, 0.3, 1};
constexpr double kOffsetDeviations[] = {0, 0.3, 1, 3};
constexpr double kThresholdRows[] = {0, 1000, 300, 100, 30};
// How far the own threshold of a relation may be from where it would be without
// its rows, in log-odds.
constexpr double kMostThresholdMove = 3;
// Of two candidates, the later one must be better by more than this, per row.
constexpr double kClearlyBetter = 1e-5;
// The common scaling: its scale has a wide prior around the best temperature,
// so that rows which a score separates fully do not drive it to infinity.
constexpr double kCommonOffsetDeviation = 5;
// How many rows of the common base rate are added to those of a relation.
constexpr double kBaseRateRows = 20;
constexpr double kLeastProbability = 1e-6;

double Clipped(double probability) {
  return std::clamp(probability, kLeastProbability, 1 - kLeastProbability);
}

double Probability(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

double PositiveShare(std::span<const uint8_t> labels) {
  const auto positives =
      static_cast<double>(std::count(labels.begin(), labels.end(), uint8_t{1}));
  return (positives + 1) / (static_cast<double>(labels.size()) + 2);
}

bool HasBothLabels(std::span<const uint8_t> labels) {
  return std::find(labels.begin(), labels.end(), 0) != labels.end() &&
         std::find(labels.begin(), labels.end(), 1) != labels.end();
}

std::vector<float> ProbabilitiesOf(const CalibrationRows& rows,
                                   std::span<const Calibration> of_row) {
  std::vector<float> probabilities;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Calibration& calibration =
        of_row.size() == 1 ? of_row[0] : of_row[rows.relations[i]];
    probabilities.push_back(static_cast<float>(
        calibration.Probability(rows.logits[i], rows.shifts[i])));
  }
  return probabilities;
}

// The rows of each relation.
std::vector<CalibrationRows> SplitByRelation(const CalibrationRows& rows,
                                             size_t relation_count) {
  std::vector<CalibrationRows> split(relation_count);
  for (size_t i = 0; i < rows.size(); ++i) {
    split[rows.relations[i]].Add(rows.logits[i], rows.shifts[i],
                                 rows.labels[i] != 0, rows.relations[i]);
  }
  return split;
}

// Fits the scaling of one relation around the common one.
Calibration ScaleRelation(const CalibrationRows& rows,
                          const Calibration& common,
                          const Shrinkage& shrinkage) {
  std::vector<double> log_odds;
  for (const double logit : rows.logits) {
    log_odds.push_back(common.LogOddsOf(logit));
  }
  PlattPrior prior;
  prior.scale_deviation = shrinkage.scale_deviation;
  prior.offset_deviation = shrinkage.offset_deviation;
  const PlattScaling own =
      FitPlatt({log_odds, rows.shifts, rows.labels}, prior);
  Calibration calibration = common;
  calibration.temperature = common.temperature / own.scale;
  calibration.offset = own.scale * common.offset + own.offset;
  calibration.rows = rows.size();
  const auto count = static_cast<double>(rows.size());
  const auto positives = static_cast<double>(
      std::count(rows.labels.begin(), rows.labels.end(), uint8_t{1}));
  calibration.base_rate =
      (positives + kBaseRateRows * common.base_rate) / (count + kBaseRateRows);
  return calibration;
}

std::vector<Calibration> ScaleRelations(std::span<const CalibrationRows> split,
                                        const Calibration& common,
                                        const Shrinkage& shrinkage) {
  std::vector<Calibration> calibrations;
  for (const CalibrationRows& rows : split) {
    calibrations.push_back(ScaleRelation(rows, common, shrinkage));
  }
  return calibrations;
}

// The threshold, half way between two probabilities, with the most gain at the
// common threshold `common`.
double OwnThreshold(std::vector<float> probabilities,
                    std::span<const uint8_t> labels, double common) {
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return probabilities[a] > probabilities[b];
  });
  double gain = 0, best_gain = 0;
  double best = (probabilities[order[0]] + 1.0) / 2;
  for (size_t i = 0; i < order.size(); ++i) {
    gain += labels[order[i]] != 0 ? 1 - common : -common;
    const double here = probabilities[order[i]];
    const double next =
        i + 1 < order.size() ? probabilities[order[i + 1]] : 0.0;
    if (next == here || gain <= best_gain) continue;
    best_gain = gain;
    best = (here + next) / 2;
  }
  return Clipped(best);
}

// Sets the thresholds of the relations, as `shrinkage` says.
void SetThresholds(const CalibrationRows& rows,
                   std::span<const CalibrationRows> split,
                   const Calibration& common, const Shrinkage& shrinkage,
                   std::vector<Calibration>& calibrations) {
  if (!HasBothLabels(rows.labels)) return;
  const double logit =
      common.temperature * (LogOdds(common.threshold) - common.offset);
  const double probability = Clipped(
      BestF1Threshold(ProbabilitiesOf(rows, calibrations), rows.labels));
  for (size_t r = 0; r < calibrations.size(); ++r) {
    Calibration& one = calibrations[r];
    double log_odds = shrinkage.threshold_by_probability ? LogOdds(probability)
                                                         : one.LogOddsOf(logit);
    if (shrinkage.threshold_rows > 0 && HasBothLabels(split[r].labels)) {
      const double own = std::clamp(
          LogOdds(OwnThreshold(ProbabilitiesOf(split[r], {&one, 1}),
                               split[r].labels, probability)),
          log_odds - kMostThresholdMove, log_odds + kMostThresholdMove);
      const auto count = static_cast<double>(split[r].size());
      log_odds += count / (count + shrinkage.threshold_rows) * (own - log_odds);
    }
    one.threshold = Clipped(Probability(log_odds));
  }
}

// The rows without one fold, and the rows of that fold.
struct HeldOutFold {
  CalibrationRows fitted, measured;
};

std::vector<HeldOutFold> MakeFolds(const CalibrationRows& rows) {
  std::vector<HeldOutFold> folds(kFolds);
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t of_row = MixBits(i + 1) % kFolds;
    for (size_t fold = 0; fold < folds.size(); ++fold) {
      CalibrationRows& part =
          fold == of_row ? folds[fold].measured : folds[fold].fitted;
      part.Add(rows.logits[i], rows.shifts[i], rows.labels[i] != 0,
               rows.relations[i]);
    }
  }
  return folds;
}

// One fold with what does not depend on the shrinkage.
struct PreparedFold {
  const HeldOutFold* rows = nullptr;
  Calibration common;
  std::vector<CalibrationRows> split;
};

double LossOf(const PreparedFold& fold, const Shrinkage& shrinkage) {
  const std::vector<Calibration> calibrations =
      ScaleRelations(fold.split, fold.common, shrinkage);
  const CalibrationRows& rows = fold.rows->measured;
  const std::vector<float> probabilities = ProbabilitiesOf(rows, calibrations);
  return LogLoss(probabilities, rows.labels) * static_cast<double>(rows.size());
}

// The decisions on the held-out rows of one fold, in their order.
std::vector<uint8_t> DecisionsOf(const PreparedFold& fold,
                                 const Shrinkage& shrinkage) {
  std::vector<Calibration> calibrations =
      ScaleRelations(fold.split, fold.common, shrinkage);
  SetThresholds(fold.rows->fitted, fold.split, fold.common, shrinkage,
                calibrations);
  const CalibrationRows& rows = fold.rows->measured;
  std::vector<uint8_t> decisions;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Calibration& one = calibrations[rows.relations[i]];
    decisions.push_back(one.Probability(rows.logits[i], rows.shifts[i]) >=
                        one.threshold);
  }
  return decisions;
}

// What decisions are worth, and how many of them differ from others.
struct HeldOutDecisions {
  std::vector<uint8_t> decisions;
  double worth = 0;  // the mean of F1 and accuracy
};

HeldOutDecisions Decide(std::span<const PreparedFold> folds,
                        const Shrinkage& shrinkage) {
  HeldOutDecisions made;
  ConfusionCounts counts;
  for (const PreparedFold& fold : folds) {
    const std::vector<uint8_t>& labels = fold.rows->measured.labels;
    const std::vector<uint8_t> decisions = DecisionsOf(fold, shrinkage);
    for (size_t i = 0; i < labels.size(); ++i) {
      ++(labels[i] != 0 ? (decisions[i] != 0 ? counts.true_positives
                                             : counts.false_negatives)
                        : (decisions[i] != 0 ? counts.false_positives
                                             : counts.true_negatives));
    }
    made.decisions.insert(made.decisions.end(), decisions.begin(),
                          decisions.end());
  }
  made.worth = (counts.F1() + counts.Accuracy()) / 2;
  return made;
}

// The standard error of the difference in accuracy: the rows that the two
// decide differently are as many coins.
double StandardError(const HeldOutDecisions& a, const HeldOutDecisions& b) {
  double differ = 0;
  for (size_t i = 0; i < a.decisions.size(); ++i) {
    differ += a.decisions[i] != b.decisions[i];
  }
  return std::sqrt(differ) / static_cast<double>(a.decisions.size());
}

// Chooses the thresholds' part of the shrinkage, for the scalings of `scaled`.
Shrinkage ChooseThresholds(std::span<const PreparedFold> folds,
                           const Shrinkage& scaled) {
  const HeldOutDecisions usual = Decide(folds, scaled);
  Shrinkage chosen = scaled;
  double most = usual.worth;
  for (const bool by_probability : {false, true}) {
    for (const double threshold_rows : kThresholdRows) {
      Shrinkage tried = scaled;
      tried.threshold_by_probability = by_probability;
      tried.threshold_rows = threshold_rows;
      const HeldOutDecisions made = Decide(folds, tried);
      if (made.worth <= most ||
          made.worth <= usual.worth + StandardError(made, usual)) {
        continue;
      }
      most = made.worth;
      chosen = tried;
    }
  }
  return chosen;
}

}  // namespace

void CalibrationRows::Add(double logit, double shift, bool positive,
                          RelationId relation) {
  logits.push_back(logit);
  shifts.push_back(shift);
  labels.push_back(positive ? 1 : 0);
  relations.push_back(relation);
}

Calibration CalibrateTogether(const CalibrationRows& rows) {
  Calibration common;
  if (!HasBothLabels(rows.labels)) return common;
  common.rows = rows.size();
  const std::vector<float> logits(rows.logits.begin(), rows.logits.end());
  PlattPrior prior;
  const double temperature = FitTemperature(logits, rows.labels);
  prior.mean.scale = 1 / temperature;
  prior.scale_deviation = prior.mean.scale;
  prior.offset_deviation = kCommonOffsetDeviation;
  const PlattScaling scaling =
      FitPlatt({rows.logits, rows.shifts, rows.labels}, prior);
  common.temperature = 1 / scaling.scale;
  common.offset = scaling.offset;
  common.base_rate = PositiveShare(rows.labels);
  // The threshold does not depend on the offset, so that it is the same
  // decision as by the temperature alone.
  const double by_temperature = Clipped(BestF1Threshold(
      CalibratedProbabilities(logits, temperature), rows.labels));
  common.threshold =
      Clipped(common.Probability(temperature * LogOdds(by_temperature)));
  return common;
}

std::vector<Calibration> CalibrateRelations(const CalibrationRows& rows,
                                            const Calibration& common,
                                            size_t relation_count,
                                            const Shrinkage& shrinkage) {
  const std::vector<CalibrationRows> split =
      SplitByRelation(rows, relation_count);
  std::vector<Calibration> calibrations =
      ScaleRelations(split, common, shrinkage);
  SetThresholds(rows, split, common, shrinkage, calibrations);
  return calibrations;
}

Shrinkage ChooseShrinkage(const CalibrationRows& rows, size_t relation_count) {
  const std::vector<HeldOutFold> held_out = MakeFolds(rows);
  std::vector<PreparedFold> folds;
  for (const HeldOutFold& fold : held_out) {
    folds.push_back({&fold, CalibrateTogether(fold.fitted),
                     SplitByRelation(fold.fitted, relation_count)});
  }
  const double clearly = kClearlyBetter * static_cast<double>(rows.size());
  Shrinkage best;
  double least = std::numeric_limits<double>::infinity();
  for (const double scale : kScaleDeviations) {
    for (const double offset : kOffsetDeviations) {
      const Shrinkage tried = {scale, offset, 0};
      double loss = 0;
      for (const PreparedFold& fold : folds) loss += LossOf(fold, tried);
      if (loss >= least - clearly) continue;
      least = loss;
      best = tried;
    }
  }
  return ChooseThresholds(folds, best);
}

QuestionCalibrations CalibrateByRelation(const CalibrationRows& rows,
                                         size_t relation_count) {
  QuestionCalibrations fitted;
  fitted.all = CalibrateTogether(rows);
  if (HasBothLabels(rows.labels)) {
    fitted.shrinkage = ChooseShrinkage(rows, relation_count);
  }
  fitted.relations =
      CalibrateRelations(rows, fitted.all, relation_count, fitted.shrinkage);
  return fitted;
}

}  // namespace slice
