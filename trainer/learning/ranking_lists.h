// Questions with several candidates, for the listwise loss: the true answer
// must be the first of its list.
#ifndef SLICE_TRAINER_LEARNING_RANKING_LISTS_H_
#define SLICE_TRAINER_LEARNING_RANKING_LISTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "context/end_question.h"
#include "trainer/learning/training_examples.h"

namespace slice {

// A train link, which of its ends is asked for, and the nodes that a scorer
// ranks highest among those that the graph does not link to the known end.
struct HardQuestion {
  Link link;
  Direction direction = Direction::kOut;  // kOut: the target is asked for
  std::vector<NodeId> rivals;             // best first

  EndQuestion question() const {
    return {direction == Direction::kOut ? link.source : link.target,
            link.relation, direction};
  }
};

// Encoded lists: those of list i are the links [i * length, (i + 1) * length),
// and the first of them is the answer.
struct ListChunk {
  size_t length = 0;
  std::vector<EncodedLink> links;

  size_t lists() const { return length == 0 ? 0 : links.size() / length; }
};

// Makes one list for each question, of its answer and `length` - 1 rivals that
// `seed` draws among all of its rivals. Every link of a list is encoded in the
// view and with the tables of the answer, as a negative that keeps the known
// end (docs/leakage.md). Questions with fewer rivals have no list.
ListChunk EncodeLists(const TrainingExamples& examples,
                      const LinkEncoder& encoder,
                      std::span<const HardQuestion> questions, size_t length,
                      uint64_t seed, int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_RANKING_LISTS_H_
