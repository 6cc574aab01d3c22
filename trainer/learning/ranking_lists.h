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

// A link of train or of valid, which of its ends is asked for, and nodes that
// the graph does not link to the known end.
struct HardQuestion {
  Link link;
  Direction direction = Direction::kOut;  // kOut: the target is asked for
  std::vector<NodeId> rivals;             // the hardest first

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

// The length of lists that nine of ten `questions` have rivals for, at most
// `most`: some relations lead to few nodes. At least 2.
size_t ListLengthFor(std::span<const HardQuestion> questions, size_t most);

struct ListOptions {
  size_t length = 0;  // the answer and its rivals
  uint64_t seed = 0;  // draws the rivals of a list among those of a question
  bool held_out = false;  // the answers are not links of the graph
  int threads = 1;
};

// Makes one list for each question. Every link of a list is encoded in the view
// and with the tables of the answer, as a negative that keeps the known end
// (docs/leakage.md). Questions with too few rivals have no list.
ListChunk EncodeLists(const TrainingExamples& examples,
                      const LinkEncoder& encoder,
                      std::span<const HardQuestion> questions,
                      const ListOptions& options);

// The reciprocal rank of the answer in each list. `scores` are [links,
// columns], row-major; those of one column count.
std::vector<double> ReciprocalRanks(const ListChunk& lists,
                                    std::span<const float> scores,
                                    size_t column);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_RANKING_LISTS_H_
