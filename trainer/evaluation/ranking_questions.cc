#include "trainer/evaluation/ranking_questions.h"

#include <algorithm>
#include <utility>

#include "common/random.h"
#include "context/slot_candidates.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/metrics.h"

namespace slice {
uint64_t SampleHash(const Link& link) {
  return CombineHash(
      CombineHash(CombineHash(kEvaluationSeed, link.source), link.relation),
      link.target);
}

std::vector<LinkQuestion> SampleQuestions(std::span<const LabelledLink> rows,
                                          size_t count) {
  std::vector<Link> links;
  for (const LabelledLink& row : rows) {
    if (row.positive) links.push_back(row.link);
  }
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    return std::pair(SampleHash(a), a) < std::pair(SampleHash(b), b);
  });
  if (links.size() > count) links.resize(count);
  std::vector<LinkQuestion> questions;
  for (const Link& link : links) {
    questions.push_back({link, Direction::kOut});
    questions.push_back({link, Direction::kIn});
  }
  // A ranker keeps what it computed for the last relation it was asked about,
  // so the questions of one relation follow each other.
  std::stable_sort(questions.begin(), questions.end(),
                   [](const LinkQuestion& a, const LinkQuestion& b) {
                     return a.link.relation < b.link.relation;
                   });
  return questions;
}

QuestionCandidates CollectCandidates(const GraphSnapshot& snapshot,
                                     const KnownLinks& known,
                                     std::span<const LinkQuestion> same,
                                     std::span<const NodeId> fitting) {
  const EndQuestion asked = same.front().question();
  const auto linked =
      snapshot.Neighbors(asked.anchor, asked.relation, asked.direction);
  const std::vector<NodeId> known_answers = known.AnswersTo(asked);
  QuestionCandidates candidates;
  for (const LinkQuestion& question : same) {
    candidates.nodes.push_back(question.answer());
  }
  std::ranges::sort(candidates.nodes);
  const auto repeated = std::ranges::unique(candidates.nodes);
  candidates.nodes.erase(repeated.begin(), repeated.end());
  const std::vector<NodeId> answers = candidates.nodes;
  for (const LinkQuestion& question : same) {
    candidates.places.push_back(static_cast<size_t>(
        std::ranges::lower_bound(answers, question.answer()) -
        answers.begin()));
  }
  candidates.is_rival.assign(answers.size(), false);
  for (const NodeId node : fitting) {
    if (std::ranges::binary_search(answers, node) ||
        std::ranges::binary_search(linked, node)) {
      continue;
    }
    candidates.nodes.push_back(node);
    candidates.is_rival.push_back(
        !std::ranges::binary_search(known_answers, node));
  }
  return candidates;
}

std::vector<LinkQuestion> QuestionsAt(std::span<const LinkQuestion> questions,
                                      std::span<const size_t> positions) {
  std::vector<LinkQuestion> found;
  for (const size_t i : positions) found.push_back(questions[i]);
  return found;
}

std::vector<EndQuestion> EndQuestionsOf(
    std::span<const LinkQuestion> questions) {
  std::vector<EndQuestion> ends;
  for (const LinkQuestion& question : questions) {
    ends.push_back(question.question());
  }
  return ends;
}

std::vector<float> QuestionCandidates::OfRivals(
    std::span<const float> values) const {
  std::vector<float> rivals;
  rivals.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (is_rival[i]) rivals.push_back(values[i]);
  }
  return rivals;
}

std::vector<double> QuestionCandidates::RanksOfAnswers(
    std::span<const float> scores) const {
  const std::vector<float> rivals = OfRivals(scores);
  std::vector<double> ranks;
  for (const size_t place : places) {
    ranks.push_back(RankAmong(scores[place], rivals));
  }
  return ranks;
}

}  // namespace slice
