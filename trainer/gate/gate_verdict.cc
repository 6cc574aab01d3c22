// Each group of answers is compared on its own: its rows are numbered anew, and
// drawn again and again. Then all groups together are corrected: the smallest p
// is multiplied by the number of groups, the next one by one less, and so on,
// and no p is smaller than one before it.
#include "trainer/gate/gate_verdict.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "common/random.h"
#include "trainer/evaluation/paired_bootstrap.h"

namespace slice {
namespace {

constexpr size_t kLeastDraws = 2000;
// So many draws that the least p is half of what Holm's correction asks of the
// first group.
size_t DrawsFor(size_t groups, double confidence) {
  return std::max(kLeastDraws,
                  static_cast<size_t>(std::ceil(
                      4 * static_cast<double>(groups) / (1 - confidence))));
}

// The answers of one group, with rows from 0 on, and how they are measured.
class Group {
 public:
  Group(GateMeasure measure, const std::vector<GateAnswer>& answers)
      : measure_(measure) {
    std::vector<float> current, candidate;
    std::vector<uint8_t> labels;
    std::map<uint32_t, uint32_t> numbers;
    for (const GateAnswer& answer : answers) {
      const auto next = static_cast<uint32_t>(numbers.size());
      rows_.push_back(numbers.try_emplace(answer.row, next).first->second);
      labels.push_back(answer.positive ? 1 : 0);
      current.push_back(answer.current);
      candidate.push_back(answer.candidate);
    }
    row_count_ = numbers.size();
    if (measure == GateMeasure::kAuroc) {
      sorted_ = {SortedLinks(current, labels, rows_),
                 SortedLinks(candidate, labels, rows_)};
    }
    values_ = {std::move(current), std::move(candidate)};
  }

  size_t row_count() const { return row_count_; }

  // The measure of the current bundle (side 0) or the candidate (side 1).
  double Measure(size_t side, const DrawnRows& drawn) const {
    return measure_ == GateMeasure::kAuroc ? sorted_[side].Auroc(drawn)
                                           : Mean(side, drawn);
  }

 private:
  double Mean(size_t side, const DrawnRows& drawn) const {
    double sum = 0, count = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      sum += double{values_[side][i]} * drawn[rows_[i]];
      count += drawn[rows_[i]];
    }
    return count == 0 ? 0 : sum / count;
  }

  const GateMeasure measure_;
  std::vector<uint32_t> rows_;
  std::vector<std::vector<float>> values_;  // by side
  std::vector<SortedLinks> sorted_;         // by side; only for AUROC
  size_t row_count_ = 0;
};

uint64_t Positives(const std::vector<GateAnswer>& answers) {
  std::set<uint32_t> rows;
  for (const GateAnswer& answer : answers) {
    if (answer.positive) rows.insert(answer.row);
  }
  return rows.size();
}

bool IsEnough(GateMeasure measure, const std::vector<GateAnswer>& answers,
              size_t least) {
  const auto non_links = static_cast<size_t>(
      std::count_if(answers.begin(), answers.end(),
                    [](const GateAnswer& answer) { return !answer.positive; }));
  return Positives(answers) >= least &&
         (measure != GateMeasure::kAuroc || non_links >= least);
}

// A figure to be filled, and the answers that it is about.
struct Comparison {
  GateFigure figure;
  std::vector<GateAnswer> answers;
};

void AddComparisons(GateMeasure measure, const std::vector<GateAnswer>& answers,
                    size_t least, std::vector<Comparison>& comparisons) {
  if (!IsEnough(measure, answers, least)) return;
  comparisons.push_back({{.measure = measure}, answers});
  std::map<RelationId, std::vector<GateAnswer>> by_relation;
  for (const GateAnswer& answer : answers) {
    by_relation[answer.relation].push_back(answer);
  }
  if (by_relation.size() < 2) return;
  for (auto& [relation, group] : by_relation) {
    if (!IsEnough(measure, group, least)) continue;
    comparisons.push_back(
        {{.measure = measure, .is_overall = false, .relation = relation},
         std::move(group)});
  }
}

void Compare(const GateTestOptions& options, size_t draws,
             Comparison& comparison) {
  GateFigure& figure = comparison.figure;
  const Group group(figure.measure, comparison.answers);
  DrawnRows drawn(group.row_count(), 1);
  figure.links = Positives(comparison.answers);
  figure.current = group.Measure(0, drawn);
  figure.candidate = group.Measure(1, drawn);
  figure.difference = figure.candidate - figure.current;
  Random random(CombineHash(options.seed,
                            CombineHash(figure.is_overall, figure.relation)));
  std::vector<double> differences;
  size_t not_worse = 0;
  for (size_t draw = 0; draw < draws; ++draw) {
    DrawRows(random, drawn);
    differences.push_back(group.Measure(1, drawn) - group.Measure(0, drawn));
    not_worse += differences.back() >= -options.margin;
  }
  const PercentileInterval interval(differences, options.confidence);
  figure.low = interval.low;
  figure.high = interval.high;
  figure.p = std::min(1.0, 2 * static_cast<double>(not_worse + 1) /
                               static_cast<double>(draws + 1));
}

void CorrectByHolm(double confidence, std::vector<Comparison>& comparisons) {
  std::vector<GateFigure*> by_p;
  for (Comparison& comparison : comparisons) by_p.push_back(&comparison.figure);
  std::stable_sort(
      by_p.begin(), by_p.end(),
      [](const GateFigure* a, const GateFigure* b) { return a->p < b->p; });
  double least = 0;
  for (size_t i = 0; i < by_p.size(); ++i) {
    const double corrected = by_p[i]->p * static_cast<double>(by_p.size() - i);
    least = std::max(least, std::min(1.0, corrected));
    by_p[i]->p = least;
    by_p[i]->is_worse = least < 1 - confidence;
  }
}

}  // namespace

std::string_view GateMeasureKey(GateMeasure measure) {
  return measure == GateMeasure::kAuroc ? "auroc" : "mrr";
}

std::string_view GateMeasureTitle(GateMeasure measure) {
  return measure == GateMeasure::kAuroc ? "AUROC" : "MRR";
}

std::vector<GateFigure> CompareAnswers(const std::vector<GateAnswer>& links,
                                       const std::vector<GateAnswer>& ranks,
                                       const GateTestOptions& options) {
  std::vector<Comparison> comparisons;
  AddComparisons(GateMeasure::kAuroc, links, options.least_links, comparisons);
  AddComparisons(GateMeasure::kReciprocalRank, ranks, options.least_links,
                 comparisons);
  const size_t draws = DrawsFor(comparisons.size(), options.confidence);
  for (Comparison& comparison : comparisons) {
    Compare(options, draws, comparison);
  }
  CorrectByHolm(options.confidence, comparisons);
  std::vector<GateFigure> figures;
  for (const Comparison& comparison : comparisons) {
    figures.push_back(comparison.figure);
  }
  return figures;
}

}  // namespace slice
