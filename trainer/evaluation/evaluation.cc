// ScoreSplit works in these steps:
//   1. MakeEvaluationLinks adds the made negatives to the rows of the file;
//   2. the model predicts every link with its pair hidden, and a made negative
//      also with the pair of its positive hidden; the scores of each scorer of
//      the model become one MethodScores;
//   3. the baselines score the same links with the same pairs hidden.
// Thresholds and calibrations are fitted on the scores of valid, never of test.
#include "trainer/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "trainer/evaluation/baselines.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr Question kQuestionList[] = {Question::kPlausible,
                                      Question::kAmongKind};

NegativeSet CalibrationSet(Question question) {
  return question == Question::kPlausible ? NegativeSet::kPublished
                                          : NegativeSet::kTyped;
}

// Recognises a scorer that the model lacks: it gives every link one logit.
bool IsConstant(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(),
                     [&](float value) { return value == values.front(); });
}

MethodScores LogitsOf(const std::vector<Prediction>& predictions, Scorer scorer,
                      const std::string& model_name) {
  MethodScores method;
  method.key = std::string(ScorerName(scorer));
  method.name = absl::StrCat(model_name, ", ", method.key);
  method.is_model = true;
  for (const Question question : kQuestionList) {
    auto& column = method.scores[static_cast<size_t>(question)];
    column.reserve(predictions.size());
    for (const Prediction& prediction : predictions) {
      column.push_back(prediction.Logit(scorer, question));
    }
  }
  return method;
}

std::vector<MethodScores> ScorersOf(const std::vector<Prediction>& predictions,
                                    const ScoreSplitOptions& options) {
  std::vector<MethodScores> methods = {
      LogitsOf(predictions, options.answering, options.model_name)};
  for (int i = 0; i < kScorers; ++i) {
    const auto scorer = static_cast<Scorer>(i);
    if (scorer == options.answering) continue;
    MethodScores method = LogitsOf(predictions, scorer, options.model_name);
    const std::vector<float>& scores = method.of(Question::kPlausible);
    // A model with one scorer gives the logits of this scorer for all three.
    if (IsConstant(scores) || scores == methods[0].of(Question::kPlausible)) {
      continue;
    }
    methods.push_back(std::move(method));
  }
  return methods;
}

absl::Status AddBaselines(const GraphSnapshot& snapshot,
                          const ScoreSplitOptions& options,
                          ScoredSplit& split) {
  std::vector<Baseline> baselines = {
      Baseline::kPopularity, Baseline::kCommonNeighbors, Baseline::kAdamicAdar,
      Baseline::kThreePaths};
  if (!options.embeddings.empty()) baselines.push_back(Baseline::kNode2vec);
  for (const Baseline baseline : baselines) {
    SLICE_ASSIGN_OR_RETURN(
        const auto scorer,
        BaselineScorer::Create(baseline, snapshot, options.embeddings,
                               options.dim));
    MethodScores method;
    method.key = std::string(BaselineKey(baseline));
    method.name = std::string(BaselineName(baseline));
    method.scores[0] = ScoreLinks(*scorer, split.links.links, options.threads,
                                  split.links.made_from);
    method.scores[1] = method.scores[0];
    split.methods.push_back(std::move(method));
  }
  return absl::OkStatus();
}

std::vector<float> CosineSimilarities(std::span<const Link> links,
                                      std::span<const float> embeddings,
                                      int dim) {
  std::vector<float> similarities;
  for (const Link& link : links) {
    const float* source = embeddings.data() + size_t{link.source} * dim;
    const float* target = embeddings.data() + size_t{link.target} * dim;
    double dot = 0, squares_source = 0, squares_target = 0;
    for (int k = 0; k < dim; ++k) {
      dot += double{source[k]} * target[k];
      squares_source += double{source[k]} * source[k];
      squares_target += double{target[k]} * target[k];
    }
    const double norm = std::sqrt(squares_source * squares_target);
    similarities.push_back(norm > 0 ? static_cast<float>(dot / norm) : 0.0f);
  }
  return similarities;
}

template <typename Value>
std::vector<Value> ValuesOf(const EvaluationLinks& links, NegativeSet set,
                            const std::vector<Value>& of_link) {
  std::vector<Value> values;
  if (of_link.empty()) return values;
  for (const uint32_t i : links.PositionsOf(set)) values.push_back(of_link[i]);
  return values;
}

}  // namespace

Question QuestionOf(NegativeSet set) {
  return set == NegativeSet::kPublished ? Question::kPlausible
                                        : Question::kAmongKind;
}

std::vector<float> ScoredSplit::ScoresOf(const MethodScores& method,
                                         NegativeSet set) const {
  return ValuesOf(links, set, method.of(QuestionOf(set)));
}

std::vector<double> ScoredSplit::ThresholdsOf(const MethodScores& method,
                                              NegativeSet set) const {
  return ValuesOf(links, set,
                  method.thresholds[static_cast<size_t>(QuestionOf(set))]);
}

std::vector<uint8_t> ScoredSplit::LabelsOf(NegativeSet set) const {
  std::vector<uint8_t> labels;
  for (const uint32_t i : links.PositionsOf(set)) {
    labels.push_back(links.labels[i]);
  }
  return labels;
}

absl::StatusOr<ScoredSplit> ScoreSplit(const ScoringModel& model,
                                       std::span<const LabelledLink> rows,
                                       const KnownLinks& known,
                                       const ScoreSplitOptions& options) {
  ScoredSplit split;
  SLICE_ASSIGN_OR_RETURN(split.links,
                         MakeEvaluationLinks(*model.snapshot, rows, known,
                                             kEvaluationSeed, options.sets));
  SLICE_ASSIGN_OR_RETURN(
      ScoredLinks scored,
      ScoreManyLinks(model, split.links.links, split.links.made_from,
                     options.threads, options.title));
  split.methods = ScorersOf(scored.predictions, options);
  for (const Prediction& prediction : scored.predictions) {
    split.flags.push_back(prediction.flags);
  }
  split.context_nodes = std::move(scored.context_nodes);
  split.distances = std::move(scored.distances);
  split.metapaths = std::move(scored.metapaths);
  if (!options.embeddings.empty()) {
    split.similarity =
        CosineSimilarities(split.links.links, options.embeddings, options.dim);
  }
  if (options.baselines) {
    SLICE_RETURN_IF_ERROR(AddBaselines(*model.snapshot, options, split));
  }
  return split;
}

absl::StatusOr<ScoredSplit> ScoreBaselines(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> rows,
                                           const KnownLinks& known,
                                           const ScoreSplitOptions& options) {
  ScoredSplit split;
  SLICE_ASSIGN_OR_RETURN(
      split.links, MakeEvaluationLinks(snapshot, rows, known, kEvaluationSeed,
                                       options.sets));
  SLICE_RETURN_IF_ERROR(AddBaselines(snapshot, options, split));
  return split;
}

CalibrationRows CalibrationRowsOf(const ScoredSplit& valid, Question question,
                                  const OutputReading& reading) {
  CalibrationRows rows;
  const std::vector<float>& logits = valid.model().of(question);
  for (const uint32_t i : valid.links.PositionsOf(CalibrationSet(question))) {
    const RelationId relation = valid.links.links[i].relation;
    const double shift = valid.flags.empty()
                             ? 0
                             : reading.SchemaLogOdds(relation, valid.flags[i]);
    rows.Add(logits[i], shift, valid.links.labels[i] != 0, relation);
  }
  return rows;
}

std::array<Calibration, kQuestions> CalibrateQuestions(
    const ScoredSplit& valid) {
  std::array<Calibration, kQuestions> calibrations;
  for (const Question question : kQuestionList) {
    calibrations[static_cast<size_t>(question)] =
        CalibrateTogether(CalibrationRowsOf(valid, question, {}));
  }
  return calibrations;
}

std::array<Shrinkage, kQuestions> CalibrateReading(const ScoredSplit& valid,
                                                   size_t relation_count,
                                                   OutputReading& reading) {
  std::array<Shrinkage, kQuestions> shrinkage;
  RelationReadings relations;
  if (reading.relations != nullptr) relations = *reading.relations;
  for (const Question question : kQuestionList) {
    const auto q = static_cast<size_t>(question);
    QuestionCalibrations fitted = CalibrateByRelation(
        CalibrationRowsOf(valid, question, reading), relation_count);
    reading.calibrations[q] = fitted.all;
    relations.calibrations[q] = std::move(fitted.relations);
    shrinkage[q] = fitted.shrinkage;
  }
  reading.relations =
      std::make_shared<const RelationReadings>(std::move(relations));
  return shrinkage;
}

void ReadAnswers(const OutputReading& reading, ScoredSplit& split) {
  MethodScores& answering = split.methods.front();
  for (const Question question : kQuestionList) {
    const auto q = static_cast<size_t>(question);
    answering.thresholds[q].clear();
    split.answers[q].clear();
    for (size_t i = 0; i < split.links.size(); ++i) {
      const RelationId relation = split.links.links[i].relation;
      const Calibration& one = reading.of(question, relation);
      const double shift =
          split.flags.empty() ? 0
                              : reading.SchemaLogOdds(relation, split.flags[i]);
      split.answers[q].push_back(
          static_cast<float>(one.LogOddsOf(answering.scores[q][i], shift)));
      const double threshold =
          question == Question::kPlausible && !split.flags.empty()
              ? LogOdds(reading.Threshold(relation, split.flags[i]))
              : one.LogOddsThreshold();
      answering.thresholds[q].push_back(one.temperature *
                                        (threshold - one.offset - shift));
    }
  }
}

void SetThresholds(const ScoredSplit* valid, ScoredSplit& test) {
  const size_t first = test.methods.empty() || !test.model().is_model ? 0 : 1;
  for (const Question question : kQuestionList) {
    const NegativeSet set = CalibrationSet(question);
    for (size_t m = first; m < test.methods.size(); ++m) {
      const double threshold =
          valid == nullptr
              ? std::numeric_limits<double>::quiet_NaN()
              : BestF1Threshold(valid->ScoresOf(valid->methods[m], set),
                                valid->LabelsOf(set));
      test.methods[m].thresholds[static_cast<size_t>(question)].assign(
          test.links.size(), threshold);
    }
  }
}

}  // namespace slice
