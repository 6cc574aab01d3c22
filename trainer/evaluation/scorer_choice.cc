// The links of each set are sorted by the scores of each scorer once. Then rows
// are drawn again and again, and every scorer is measured on each draw. A
// positive and the negative that was made from it are drawn together.
#include "trainer/evaluation/scorer_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/random.h"
#include "trainer/evaluation/paired_bootstrap.h"

namespace slice {
namespace {

constexpr int kDraws = 500;
constexpr double kConfidence = 0.95;
// A scorer is worse than another if that one puts a twentieth fewer pairs of a
// link and a non-link in the wrong order.
constexpr double kFewerErrors = 0.95;
// From the cheapest on.
constexpr Scorer kByCost[] = {Scorer::kStructural, Scorer::kEnds,
                              Scorer::kContext};

SortedLinks SortLinks(const ScoredSplit& valid, const MethodScores& method,
                      NegativeSet set) {
  const std::vector<float>& scores = method.of(QuestionOf(set));
  std::map<Link, uint32_t> row_of;
  for (uint32_t i = 0; i < valid.links.published; ++i) {
    row_of.emplace(valid.links.links[i], i);
  }
  std::vector<float> of_set;
  std::vector<uint8_t> labels;
  std::vector<uint32_t> rows;
  for (const uint32_t i : valid.links.PositionsOf(set)) {
    of_set.push_back(scores[i]);
    labels.push_back(valid.links.labels[i]);
    rows.push_back(row_of.at(valid.links.made_from[i]));
  }
  return SortedLinks(of_set, labels, rows);
}

using Measures = std::array<double, kQuestions>;  // AUROC by question

double Mean(const Measures& measures) {
  return (measures[0] + measures[1]) / 2;
}

// One scorer with the sorted links of both sets.
struct Candidate {
  Scorer scorer = Scorer::kContext;
  std::array<SortedLinks, kQuestions> links;
  Measures measured = {};            // on all rows, each once
  std::vector<Measures> drawn = {};  // by draw

  Measures Measure(const DrawnRows& drawn_rows) const {
    return {links[0].Auroc(drawn_rows), links[1].Auroc(drawn_rows)};
  }
};

std::vector<Candidate> CandidatesOf(const ScoredSplit& valid) {
  std::vector<Candidate> candidates;
  for (const Scorer scorer : kByCost) {
    for (const MethodScores& method : valid.methods) {
      if (!method.is_model || method.key != ScorerName(scorer)) continue;
      candidates.push_back({scorer,
                            {SortLinks(valid, method, NegativeSet::kPublished),
                             SortLinks(valid, method, NegativeSet::kTyped)}});
    }
  }
  return candidates;
}

void Draw(size_t rows, uint64_t seed, std::vector<Candidate>& candidates) {
  Random random(seed);
  DrawnRows drawn(rows, 1);
  for (Candidate& one : candidates) one.measured = one.Measure(drawn);
  for (int draw = 0; draw < kDraws; ++draw) {
    DrawRows(random, drawn);
    for (Candidate& one : candidates) one.drawn.push_back(one.Measure(drawn));
  }
}

// The share of draws in which `other` is worse than `best`, for the question
// where it is worse more often.
double WorseShare(const Candidate& other, const Candidate& best) {
  Measures worse = {0, 0};
  for (int i = 0; i < kDraws; ++i) {
    for (size_t q = 0; q < worse.size(); ++q) {
      const double errors = 1 - other.drawn[i][q];
      worse[q] += 1 - best.drawn[i][q] < kFewerErrors * errors;
    }
  }
  return std::max(worse[0], worse[1]) / kDraws;
}

// Why `best` is taken, before the figures.
std::string WhyBest(const std::vector<Candidate>& candidates,
                    const Candidate& best) {
  const auto equal = std::count_if(
      candidates.begin(), candidates.end(), [&](const Candidate& one) {
        return Mean(one.measured) == Mean(best.measured);
      });
  return equal == 1 ? " is the best on valid"
                    : " is the cheapest of those that are best on valid";
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
                    ? WhyBest(candidates, best)
                    : absl::StrFormat(
                          " is cheaper than %s and about as good: of 100 "
                          "draws of the valid rows, %.0f give %s a twentieth "
                          "fewer errors",
                          std::string(ScorerName(best.scorer)), 100 * worse,
                          std::string(ScorerName(best.scorer))),
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
