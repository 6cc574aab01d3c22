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
  // With the whole network, the learning rate of the structural scorer relative
  // to learning_rate.
  double structural_rate = 0.3;
  double weight_decay = 0.01;
  int patience = 2;                // epochs without a better valid AUROC
  size_t positives_per_epoch = 0;  // 0: all
  // How many epochs draw examples of their own. Later epochs see these again,
  // without encoding them again. 0: every epoch draws anew.
  int distinct_epochs = 0;
  int threads = 1;  // 1: the result is reproducible to the bit
  ContextPooling pooling = ContextPooling::kMean;
  // The first columns of the embeddings that are trained with the network, in
  // place. REQUIRES: 0 when there are several arms.
  int64_t trained_columns = 0;
  int replicas = 1;  // threads of one step
  uint64_t seed = 0;
};

// The part that is trained: the structural scorer, or the whole network.
enum class TrainingScope { kStructural, kWhole };

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NETWORK_TRAINING_OPTIONS_H_
