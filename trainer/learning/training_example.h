// A link to learn from, with its label.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_EXAMPLE_H_
#define SLICE_TRAINER_LEARNING_TRAINING_EXAMPLE_H_

#include <array>
#include <cstdint>

#include "graphstore/types.h"
#include "model/prediction.h"

namespace slice {

// How much an example counts for each question.
using QuestionWeights = std::array<float, kQuestions>;

// The end of an example whose place a new node takes, a node without links
// (trainer/learning/new_nodes.h).
enum class NewEnd : uint8_t { kNone, kSource, kTarget };

struct TrainingExample {
  Link link;
  bool positive = true;
  Link made_from;              // the positive that a negative was made from;
                               // the link itself for a positive
  bool shares_end = false;     // a negative that keeps an end of made_from
  bool hide_relation = false;  // the relation's links at the source are hidden
  NewEnd new_end = NewEnd::kNone;
  bool held_out = false;  // not in the graph, so that tables and embeddings
                          // of the whole graph may be read
  QuestionWeights weights = {1, 1};
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_EXAMPLE_H_
