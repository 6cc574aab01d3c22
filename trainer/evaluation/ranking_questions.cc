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
                                     const LinkQuestion& question) {
  return CollectCandidates(
      snapshot, known, question,
      SlotCandidates(snapshot, question.link.relation, question.direction));
}

QuestionCandidates CollectCandidates(const GraphSnapshot& snapshot,
                                     const KnownLinks& known,
                                     const LinkQuestion& question,
                                     std::span<const NodeId> fitting) {
  const EndQuestion asked = question.question();
  const auto linked =
      snapshot.Neighbors(asked.anchor, asked.relation, asked.direction);
  const std::vector<NodeId> answers = known.AnswersTo(asked);
  QuestionCandidates candidates;
  candidates.nodes = {question.answer()};
  for (const NodeId node : fitting) {
    if (node != question.answer() &&
        !std::binary_search(linked.begin(), linked.end(), node)) {
      candidates.nodes.push_back(node);
    }
  }
  for (const NodeId node : candidates.nodes) {
    candidates.is_rival.push_back(
        !std::binary_search(answers.begin(), answers.end(), node));
  }
  candidates.is_rival[0] = false;
  return candidates;
}

std::vector<EndQuestion> EndQuestionsOf(
    std::span<const LinkQuestion> questions) {
  std::vector<EndQuestion> ends;
  for (const LinkQuestion& question : questions) {
    ends.push_back(question.question());
  }
  return ends;
}

double QuestionCandidates::RankOfAnswer(std::span<const float> scores) const {
  std::vector<float> rivals;
  rivals.reserve(scores.size());
  for (size_t i = 0; i < scores.size(); ++i) {
    if (is_rival[i]) rivals.push_back(scores[i]);
  }
  return RankAmong(scores[0], rivals);
}

}  // namespace slice
