// The questions that a ranking asks about held-out links: one end is known, the
// other is to be found.
#ifndef SLICE_TRAINER_EVALUATION_RANKING_QUESTIONS_H_
#define SLICE_TRAINER_EVALUATION_RANKING_QUESTIONS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/evaluation/evaluation_links.h"

namespace slice {

// A held-out link, and which of its ends is asked for.
struct LinkQuestion {
  Link link;
  Direction direction = Direction::kOut;  // kOut: the target is asked for

  EndQuestion question() const {
    return {direction == Direction::kOut ? link.source : link.target,
            link.relation, direction};
  }
  // `link` with `node` in place of the answer.
  Link With(NodeId node) const { return question().With(node); }
  NodeId answer() const {
    return direction == Direction::kOut ? link.target : link.source;
  }
};

// By which samples of links are drawn: the smallest hashes win. The same for
// every training seed, so that runs compare.
uint64_t SampleHash(const Link& link);

// Draws `count` positives of `rows` (all if there are fewer) and returns both
// questions about each, sorted by relation. The sample depends on the links
// alone.
std::vector<LinkQuestion> SampleQuestions(std::span<const LabelledLink> rows,
                                          size_t count);

// The nodes that are ranked for a question: its answers, and all
// SlotCandidates() that the training graph does not link to the known end. The
// rivals are the nodes among which each answer is ranked.
struct QuestionCandidates {
  std::vector<NodeId> nodes;   // first the answers, without repetition
  std::vector<bool> is_rival;  // parallel; neither an answer nor a known one
  std::vector<size_t> places;  // of the answer to each question, in nodes

  // The part of `values`, which are parallel to nodes, that rivals have.
  std::vector<float> OfRivals(std::span<const float> values) const;
  // The rank of each answer among the rivals (Bordes et al., NeurIPS 2013), in
  // the order of the questions. `scores` are parallel to nodes.
  std::vector<double> RanksOfAnswers(std::span<const float> scores) const;
};
// `same` are equal questions, each about an answer of its own. `fitting` are
// their SlotCandidates(). REQUIRES: `same` is not empty.
QuestionCandidates CollectCandidates(const GraphSnapshot& snapshot,
                                     const KnownLinks& known,
                                     std::span<const LinkQuestion> same,
                                     std::span<const NodeId> fitting);

// Those at `positions`.
std::vector<LinkQuestion> QuestionsAt(std::span<const LinkQuestion> questions,
                                      std::span<const size_t> positions);
// Their question().
std::vector<EndQuestion> EndQuestionsOf(
    std::span<const LinkQuestion> questions);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_QUESTIONS_H_
