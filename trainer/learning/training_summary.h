// What a training step did, for progress lines and the report.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_SUMMARY_H_
#define SLICE_TRAINER_LEARNING_TRAINING_SUMMARY_H_

#include <array>
#include <cstdint>
#include <vector>

namespace slice {

struct TrainingSummary {
  std::vector<double> losses;       // mean per epoch
  std::vector<double> valid_auroc;  // per epoch; empty for pre-training
  // The same by question (model/prediction.h); valid_auroc is their mean.
  std::array<std::vector<double>, 2> valid_by_question;
  int best_epoch = 0;  // from 0
  double seconds = 0;
  uint64_t examples = 0;
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_SUMMARY_H_
