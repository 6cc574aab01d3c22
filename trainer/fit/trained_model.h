// Everything that the steps up to fine-tuning have made. Later steps evaluate
// and publish it.
#ifndef SLICE_TRAINER_FIT_TRAINED_MODEL_H_
#define SLICE_TRAINER_FIT_TRAINED_MODEL_H_

#include "model/prediction.h"
#include "trainer/fit/fine_tuning_step.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/model_fusion.h"
#include "trainer/fit/pretraining_step.h"
#include "trainer/fit/ranking_network.h"
#include "trainer/fit/structural_step.h"

namespace slice {

// Movable. Constant once made.
struct TrainedModel {
  LearningInputs inputs;
  StructuralScorer structural;
  PretrainedNetwork pretrained;
  FineTunedNetwork fine_tuned;
  RankingNetwork ranking;
  ModelFusion fusion;

  // How the outputs are read before anything is calibrated.
  OutputReading Reading() const {
    OutputReading reading;
    reading.scorer = inputs.options.structural_only() ? Scorer::kStructural
                                                      : Scorer::kContext;
    reading.pooling = inputs.options.pooling;
    return reading;
  }
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_TRAINED_MODEL_H_
