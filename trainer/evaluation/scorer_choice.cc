// The rows of one set are sorted by the scores of each scorer once. A draw is a
// weight per row, how often it was drawn, and the AUROC of a draw is one pass
// over the sorted rows. A positive and the negative that was made from it are
// drawn together.
#include "trainer/evaluation/scorer_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/random.h"

namespace slice {
namespace {

constexpr int kDraws = 500;
constexpr double kConfidence = 0.95;
// From the cheapest on.
constexpr Scorer kByCost[] = {Scorer::kStructural, Scorer::kEnds,
                              Scorer::kContext};

// The links of one set, sorted by one scorer's scores, the highest first.
struct SortedRows {
  std::vector<uint32_t> row;  // the row of the file that each belongs to
  std::vector<uint8_t> labels;
  std::vector<float> scores;
};

SortedRows SortRows(const ScoredSplit& valid, const MethodScores& method,
                    NegativeSet set) {
  const std::vector<float>& scores = method.of(QuestionOf(set));
  std::map<Link, uint32_t> row_of;
  for (uint32_t i = 0; i < valid.links.published; ++i) {
    row_of.emplace(valid.links.links[i], i);
  }
  std::vector<uint32_t> order = valid.links.PositionsOf(set);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return scores[a] > scores[b];
  });
  SortedRows sorted;
  for (const uint32_t i : order) {
    sorted.row.push_back(row_of.at(valid.links.made_from[i]));
    sorted.labels.push_back(valid.links.labels[i]);
    sorted.scores.push_back(scores[i]);
  }
  return sorted;
}

// The AUROC when row i counts weights[i] times; a tie counts one half.
double WeightedAuroc(const SortedRows& rows,
                     const std::vector<uint16_t>& weights) {
  double positives = 0, negatives = 0, ordered = 0;
  for (size_t i = 0; i < rows.row.size();) {
    double tied_positives = 0, tied_negatives = 0;
    size_t end = i;
    for (; end < rows.row.size() && rows.scores[end] == rows.scores[i]; ++end) {
      (rows.labels[end] != 0 ? tied_positives : tied_negatives) +=
          weights[rows.row[end]];
    }
    ordered += tied_negatives * (positives + tied_positives / 2);
    positives += tied_positives;
    negatives += tied_negatives;
    i = end;
  }
  return positives * negatives == 0 ? 0.5 : ordered / (positives * negatives);
}

using Measures = std::array<double, kQuestions>;  // AUROC by question

double Mean(const Measures& measures) {
  return (measures[0] + measures[1]) / 2;
}

// One scorer with its sorted rows of both sets.
struct Candidate {
  Scorer scorer = Scorer::kContext;
  std::array<SortedRows, kQuestions> rows;
  Measures measured = {};       // on all rows, each once
  std::vector<Measures> drawn;  // by draw

  Measures Measure(const std::vector<uint16_t>& weights) const {
    return {WeightedAuroc(rows[0], weights), WeightedAuroc(rows[1], weights)};
  }
};

std::vector<Candidate> CandidatesOf(const ScoredSplit& valid) {
  std::vector<Candidate> candidates;
  for (const Scorer scorer : kByCost) {
    for (const MethodScores& method : valid.methods) {
      if (!method.is_model || method.key != ScorerName(scorer)) continue;
      Candidate& candidate = candidates.emplace_back();
      candidate.scorer = scorer;
      candidate.rows = {SortRows(valid, method, NegativeSet::kPublished),
                        SortRows(valid, method, NegativeSet::kTyped)};
    }
  }
  return candidates;
}

void Draw(size_t rows, uint64_t seed, std::vector<Candidate>& candidates) {
  Random random(seed);
  std::vector<uint16_t> weights(rows, 1);
  for (Candidate& one : candidates) one.measured = one.Measure(weights);
  for (int draw = 0; draw < kDraws; ++draw) {
    std::fill(weights.begin(), weights.end(), uint16_t{0});
    for (size_t i = 0; i < rows; ++i) {
      ++weights[random.Below(static_cast<uint32_t>(rows))];
    }
    for (Candidate& one : candidates) one.drawn.push_back(one.Measure(weights));
  }
}

// The share of draws in which `other` is worse than `best`, for the question
// where it is worse more often.
double WorseShare(const Candidate& other, const Candidate& best) {
  Measures worse = {0, 0};
  for (int i = 0; i < kDraws; ++i) {
    for (size_t q = 0; q < worse.size(); ++q) {
      worse[q] += other.drawn[i][q] < best.drawn[i][q];
    }
  }
  return std::max(worse[0], worse[1]) / kDraws;
}

std::string Figures(const std::vector<Candidate>& candidates) {
  std::vector<std::string> figures;
  for (const Candidate& one : candidates) {
    figures.push_back(
        absl::StrFormat("%s %.2f and %.2f", std::string(ScorerName(one.scorer)),
                        100 * one.measured[0], 100 * one.measured[1]));
  }
  return absl::StrJoin(figures, ", ");
}

}  // namespace

ScorerChoice ChooseScorer(const ScoredSplit& valid, uint64_t seed) {
  std::vector<Candidate> candidates = CandidatesOf(valid);
  const std::string name(valid.model().key);
  if (candidates.size() < 2) {
    return {ParseScorer(name).value_or(Scorer::kContext),
            absl::StrCat(name, " is the only scorer of this network")};
  }
  Draw(valid.links.published, seed, candidates);
  const Candidate& best =
      *std::max_element(candidates.begin(), candidates.end(),
                        [](const Candidate& a, const Candidate& b) {
                          return Mean(a.measured) < Mean(b.measured);
                        });
  for (const Candidate& one : candidates) {
    const double worse = WorseShare(one, best);
    if (&one != &best && worse >= kConfidence) continue;
    return {one.scorer,
            absl::StrCat(
                std::string(ScorerName(one.scorer)),
                &one == &best
                    ? " is the best on valid"
                    : absl::StrFormat(
                          " is cheaper than %s, which is better at a question "
                          "only in %.0f of 100 draws of the valid rows",
                          std::string(ScorerName(best.scorer)), 100 * worse),
                " (AUROC of both questions, %: ", Figures(candidates), ")")};
  }
  return {best.scorer, ""};
}

void PutFirst(Scorer scorer, ScoredSplit& split) {
  const auto found = std::find_if(
      split.methods.begin(), split.methods.end(),
      [&](const MethodScores& m) { return m.key == ScorerName(scorer); });
  if (found != split.methods.end()) {
    std::rotate(split.methods.begin(), found, found + 1);
  }
}

}  // namespace slice
