// The rows of valid and test become sets of links with published, type-matched
// and degree-matched negatives (trainer/evaluation/evaluation_links.h). The
// method scores them, and the tables take the thresholds of valid. A method has
// one score for both questions, so the scores are stored twice. Last, one
// offset, and a calibration for each question, are fitted on valid. They turn
// the scores into the logits of a bundle.
#include "trainer/methods/method_evaluation.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/evaluation/report_filling.h"
#include "trainer/methods/method_ranking.h"
#include "trainer/methods/score_offset.h"

namespace slice {
namespace {

constexpr size_t kLinksAtOnce = 256;

std::vector<float> ScoreAll(const TrainedMethod& method,
                            std::span<const Link> links,
                            std::span<const Link> made_from, int threads,
                            const std::string& title) {
  std::vector<float> scores(links.size());
  ProgressLine progress(title, links.size(), "links");
  ParallelFor(links.size(), kLinksAtOnce, threads,
              [&](size_t begin, size_t end, int) {
                const size_t count = end - begin;
                method.Score(links.subspan(begin, count),
                             made_from.subspan(begin, count),
                             std::span(scores).subspan(begin, count));
                progress.Advance(count);
              });
  return scores;
}

absl::StatusOr<ScoredSplit> ScoreRows(const MethodEvaluation& evaluation,
                                      std::span<const LabelledLink> rows,
                                      const KnownLinks& known,
                                      const std::string& title) {
  ScoredSplit split;
  SLICE_ASSIGN_OR_RETURN(
      split.links,
      MakeEvaluationLinks(*evaluation.snapshot, rows, known, kEvaluationSeed));
  MethodScores scored;
  scored.key = evaluation.info->name;
  scored.name = NameWithLeak(evaluation.info->title, evaluation.leaky);
  scored.scores[0] = ScoreAll(*evaluation.method, split.links.links,
                              split.links.made_from, evaluation.threads, title);
  scored.scores[1] = scored.scores[0];
  split.methods.push_back(std::move(scored));
  return split;
}

// The ranks of the questions of one direction.
std::vector<double> RanksOf(Direction direction,
                            std::span<const LinkQuestion> questions,
                            std::span<const double> ranks) {
  std::vector<double> of_direction;
  for (size_t i = 0; i < questions.size(); ++i) {
    if (questions[i].direction == direction) of_direction.push_back(ranks[i]);
  }
  return of_direction;
}

RankingTable RankTest(const MethodEvaluation& evaluation) {
  const std::span<const LabelledLink> held_out[] = {evaluation.valid,
                                                    evaluation.test};
  const MethodRanking ranking(*evaluation.snapshot, held_out);
  const std::vector<LinkQuestion> questions =
      SampleQuestions(evaluation.test, evaluation.rank_positives);
  const absl::Time start = absl::Now();
  const std::vector<double> ranks = ranking.Rank(
      *evaluation.method, questions, evaluation.threads, "ranking test links");
  const size_t all_questions =
      SampleQuestions(evaluation.test, evaluation.test.size()).size();
  RankingTable table;
  table.title = kRankingAmongAll;
  table.milliseconds = absl::ToDoubleMilliseconds(absl::Now() - start) *
                       evaluation.threads /
                       static_cast<double>(questions.size());
  table.note = absl::StrCat(
      questions.size(),
      " questions: half ask for the target, half for the source, among all ",
      evaluation.snapshot->node_count(),
      " nodes; other true links of train, valid and test are left out. ",
      absl::StrFormat("Mean time of a question: %.2f ms.", table.milliseconds));
  const std::string title =
      NameWithLeak(evaluation.info->title, evaluation.leaky);
  const auto add = [&](const std::string& key, const std::string& name,
                       std::span<const double> of_row, size_t of) {
    table.rows.push_back({absl::StrCat(evaluation.info->name, key),
                          absl::StrCat(title, name),
                          MakeRankingFigures(MetricsOf(of_row), of), true});
  };
  add("", "", ranks, all_questions);
  add(".target", ", targets", RanksOf(Direction::kOut, questions, ranks),
      all_questions / 2);
  add(".source", ", sources", RanksOf(Direction::kIn, questions, ranks),
      all_questions / 2);
  return table;
}

// The figures of each relation, and the mean of their AUROC, which papers on
// multiplex networks print. A relation without a link or a non-link has none.
void AddRelations(const ScoredSplit& test, const GraphSnapshot& snapshot,
                  TrainingReport& report) {
  FillRelationTable(test, snapshot, report);
  double sum = 0;
  int measured = 0;
  for (const GroupResult& row : report.groups.back().rows) {
    if (std::isnan(row.published.auroc)) continue;
    sum += row.published.auroc;
    ++measured;
  }
  if (measured == 0) return;
  report.facts.push_back(
      {"mean AUROC of relations",
       absl::StrFormat("%.4f, over %d", sum / measured, measured)});
}

void AddTraining(const MethodEvaluation& evaluation, TrainingReport& report) {
  const MethodSummary& summary = evaluation.method->summary();
  if (!summary.loss.empty())
    report.losses.push_back({"training", summary.loss});
  report.facts.push_back({"training", summary.stopped});
  if (summary.best_epoch == 0) return;
  report.facts.push_back({"epochs", absl::StrCat(summary.epochs)});
  if (summary.valid.empty()) return;
  const std::string measure = NameWithLeak(summary.measure, evaluation.leaky);
  report.losses.push_back({measure, summary.valid});
  report.facts.push_back(
      {absl::StrCat("best ", measure),
       absl::StrFormat("%.4f, in epoch %d", summary.best_valid,
                       summary.best_epoch)});
}

// Fits one offset for both questions, because a bundle has one offset, on the
// published negatives. Subtracts it from the scores and then calibrates them.
ScoreCalibration CalibrateScores(ScoredSplit& valid) {
  ScoreCalibration calibration;
  MethodScores& method = valid.methods[0];
  calibration.offset =
      FitScoreOffset(valid.ScoresOf(method, NegativeSet::kPublished),
                     valid.LabelsOf(NegativeSet::kPublished));
  for (auto& scores : method.scores) {
    for (float& score : scores) {
      score -= static_cast<float>(calibration.offset);
    }
  }
  calibration.of_question = CalibrateQuestions(valid);
  return calibration;
}

}  // namespace

absl::StatusOr<MethodMeasurement> EvaluateMethod(
    const MethodEvaluation& evaluation, TrainingReport& report) {
  const std::span<const LabelledLink> files[] = {evaluation.valid,
                                                 evaluation.test};
  // Valid chooses the thresholds, so its negatives are made without knowledge
  // of test links.
  SLICE_ASSIGN_OR_RETURN(
      ScoredSplit valid,
      ScoreRows(evaluation, evaluation.valid, KnownLinks({&files[0], 1}),
                "scoring valid"));
  SLICE_ASSIGN_OR_RETURN(ScoredSplit test,
                         ScoreRows(evaluation, evaluation.test,
                                   KnownLinks(files), "scoring test"));
  SetThresholds(&valid, test);
  FillResultTables(test, report);
  AddRelations(test, *evaluation.snapshot, report);
  for (ResultTable& table : report.results) {
    for (MethodResult& row : table.rows) row.is_model = true;
  }
  if (evaluation.rank_positives > 0) {
    report.rankings.push_back(RankTest(evaluation));
  }
  AddTraining(evaluation, report);
  return MethodMeasurement{
      CalibrateScores(valid),
      {test.ScoresOf(test.methods[0], NegativeSet::kPublished),
       test.LabelsOf(NegativeSet::kPublished)}};
}

double AurocOn(const TrainedMethod& method, std::span<const LabelledLink> rows,
               int threads) {
  std::vector<Link> links;
  std::vector<uint8_t> labels;
  for (const LabelledLink& row : rows) {
    links.push_back(row.link);
    labels.push_back(row.positive ? 1 : 0);
  }
  return Auroc(ScoreAll(method, links, links, threads, "scoring valid"),
               labels);
}

}  // namespace slice
