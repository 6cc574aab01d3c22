// The questions that held-out links make for a ranking: one end is known, the
// other is asked for.
#ifndef SLICE_TRAINER_EVALUATION_RANKING_QUESTIONS_H_
#define SLICE_TRAINER_EVALUATION_RANKING_QUESTIONS_H_

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/evaluation/evaluation_links.h"

namespace slice {

struct LinkQuestion {
  Link link;
  Direction direction = Direction::kOut;  // kOut: the target is asked for

  EndQuestion question() const {
    return {direction == Direction::kOut ? link.source : link.target,
            link.relation, direction};
  }
  // `link` with `node` in the place asked for.
  Link With(NodeId node) const { return question().With(node); }
  NodeId answer() const {
    return direction == Direction::kOut ? link.target : link.source;
  }
};

// Of `count` positives among `rows`, a sample that depends on the links alone,
// both questions each, by relation.
std::vector<LinkQuestion> SampleQuestions(std::span<const LabelledLink> rows,
                                          size_t count);

// What a question is asked of: the answer, and all SlotCandidates() that train
// does not link already.
struct QuestionCandidates {
  std::vector<NodeId> nodes;   // the answer first
  std::vector<bool> is_rival;  // parallel; false for the answer, and for links
                               // of the held-out files

  // The rank of the answer by `scores`, parallel to nodes (Bordes et al.,
  // NeurIPS 2013).
  double RankOfAnswer(std::span<const float> scores) const;
};
QuestionCandidates CollectCandidates(const GraphSnapshot& snapshot,
                                     const KnownLinks& known,
                                     const LinkQuestion& question);

// Asks one after the other, with a progress line, until one fails.
absl::Status AskAll(
    std::span<const LinkQuestion> questions, const std::string& title,
    const std::function<absl::Status(const LinkQuestion&)>& ask);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_QUESTIONS_H_
