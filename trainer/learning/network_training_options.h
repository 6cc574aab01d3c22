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
  double learning_rate = 1e-3;  // the peak of OneCycleRate()
  // When the whole network is trained, the learning rate of its structural
  // scorer is structural_rate * learning_rate.
  double structural_rate = 0.3;
  double weight_decay = 0.01;
  // Training ends after this many epochs without a better AUROC on valid; of
  // the ranking network, without a better MRR.
  int patience = 2;
  size_t positives_per_epoch = 0;  // 0: all
  // How many epochs draw new examples. Later epochs reuse these examples as
  // they were encoded. 0: every epoch draws new examples.
  int distinct_epochs = 0;
  int threads = 1;  // 1: the result is reproducible to the bit
  ContextPooling pooling = ContextPooling::kMean;
  // How many of the first columns of the embeddings are trained in place,
  // together with the network. REQUIRES: 0 when several networks are trained.
  int64_t trained_columns = 0;
  int replicas = 1;  // copies of the network that share a step, a thread each
  // Of the listwise loss, beside the cross-entropy of the examples; the links
  // of a list; and the lists of an epoch.
  double list_weight = 2;
  size_t list_length = 25;
  size_t lists_per_epoch = 0;
  uint64_t seed = 0;
};

// The part that is trained: the structural scorer, or the whole network.
enum class TrainingScope { kStructural, kWhole };

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NETWORK_TRAINING_OPTIONS_H_
