// How networks are trained on labelled examples.
#ifndef SLICE_TRAINER_LEARNING_NETWORK_TRAINING_OPTIONS_H_
#define SLICE_TRAINER_LEARNING_NETWORK_TRAINING_OPTIONS_H_

#include <cstddef>
#include <cstdint>

#include "model/prediction.h"

namespace slice {

struct NetworkTrainingOptions {
  int epochs = 6;
  int batch_size = 512;
  double learning_rate = 1e-3;  // the peak of one cycle
  // Of the structural scorer while everything is trained together, relative.
  double structural_rate = 0.3;
  double weight_decay = 0.01;
  int patience = 2;                // epochs without a better valid AUROC
  size_t positives_per_epoch = 0;  // 0 = all
  // Draws of positives and negatives that differ; later epochs see them again,
  // and they are encoded once. 0: every epoch draws anew.
  int distinct_epochs = 0;
  int threads = 1;  // 1: one after another, in a reproducible order
  ContextPooling pooling = ContextPooling::kMean;
  int replicas = 1;  // threads of one step
  uint64_t seed = 0;
};

// What is trained: the structural scorer alone, or the whole network.
enum class TrainingScope { kStructural, kWhole };

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NETWORK_TRAINING_OPTIONS_H_
