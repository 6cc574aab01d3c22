// Finds the questions whose candidates are hard to tell apart: what the scorers
// are asked when a server ranks.
#ifndef SLICE_TRAINER_FIT_HARD_QUESTIONS_H_
#define SLICE_TRAINER_FIT_HARD_QUESTIONS_H_

#include <filesystem>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/encoder_tables.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/learning/ranking_lists.h"
#include "trainer/learning/training_examples.h"

namespace slice {

// The structural scorer that ranks candidates.
struct RankedBy {
  const EncoderTables& tables;
  std::filesystem::path network_file;
};

struct HardQuestionSearch {
  // Candidates of all questions together.
  static constexpr size_t kMostScores = 120'000'000;

  size_t rivals = 100;        // hard ones of a question
  size_t others = 100;        // rivals drawn among its other candidates
  size_t most_questions = 0;  // fewer, where a question has many candidates
  // The positives are links of valid, and `known` are its links: they are no
  // rivals. Otherwise the positives are links of the graph.
  bool held_out = false;
  KnownLinks known;
};

// Asks for one end of some of `positives`, the target or the source in turn.
// The first rivals of a question are the candidates that the structural scorer
// ranks highest, as a server of the training graph does. The others keep a
// network from forgetting what is easy: learned from hard ones alone, it put
// candidates first that no list had shown it.
//
// Such a server knows the links of the graph. Where they are the positives, an
// answer is scored with its own pair hidden, as in training, and may score
// lower than all rivals. Such questions are left out: the worst of the list
// would always be the answer there, and networks would learn to look for it.
// Returns the errors of the scorer.
absl::StatusOr<std::vector<HardQuestion>> FindHardQuestions(
    const LearningInputs& inputs, const RankedBy& scorer,
    const TrainingExamples& examples, std::vector<Link> positives,
    const HardQuestionSearch& search);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_HARD_QUESTIONS_H_
