// How the training of a network went, for progress lines and the report.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_SUMMARY_H_
#define SLICE_TRAINER_LEARNING_TRAINING_SUMMARY_H_

#include <array>
#include <cstdint>
#include <vector>

namespace slice {

struct TrainingSummary {
  std::vector<double> losses;  // the mean loss of each epoch
  // AUROC on valid per epoch, the mean of both questions. Empty for
  // pre-training.
  std::vector<double> valid_auroc;
  // AUROC on valid per epoch, indexed by Question (model/prediction.h).
  std::array<std::vector<double>, 2> valid_by_question;
  // The mean reciprocal rank of the answers in lists about valid, per epoch;
  // empty without such lists.
  std::vector<double> valid_mrr;
  int best_epoch = 0;  // from 0
  double seconds = 0;
  uint64_t examples = 0;  // seen in all epochs
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_SUMMARY_H_
