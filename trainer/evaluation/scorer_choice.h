// Chooses which scorer of a network answers by default.
#ifndef SLICE_TRAINER_EVALUATION_SCORER_CHOICE_H_
#define SLICE_TRAINER_EVALUATION_SCORER_CHOICE_H_

#include <cstdint>
#include <string>

#include "model/prediction.h"
#include "trainer/evaluation/evaluation.h"

namespace slice {

struct ScorerChoice {
  Scorer scorer = Scorer::kContext;
  std::string reason;  // one sentence with the figures
};

// Compares the scorers of `valid` by two AUROCs: "plausible" on the published
// negatives, "among kind" on the typed ones. The best has the highest mean. The
// rows are drawn again with replacement, for all scorers alike, so that the
// differences between scorers are measured on the same rows (a paired
// bootstrap). A scorer is worse than the best where that one has a twentieth
// fewer errors (1 - AUROC). Of the scorers that in fewer than 95 of 100 such
// draws are worse than the best, at either question, the cheapest is chosen:
// structural before ends before context.
ScorerChoice ChooseScorer(const ScoredSplit& valid, uint64_t seed);

// Makes `scorer` the answering one of `split`. REQUIRES: the split has it.
void PutFirst(Scorer scorer, ScoredSplit& split);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_SCORER_CHOICE_H_
