// What every network of a training run learns from and is measured with.
#ifndef SLICE_TRAINER_FIT_LEARNING_INPUTS_H_
#define SLICE_TRAINER_FIT_LEARNING_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "context/encoder_tables.h"
#include "context/link_encoder.h"
#include "model/network_options.h"
#include "trainer/fit/embedding_step.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/statistics_step.h"
#include "trainer/learning/training_examples.h"

namespace slice {

// Which examples an epoch has.
struct ExampleDraw {
  std::vector<Link> positives;
  uint64_t salt = 0;  // makes the draws of two steps differ
  // The least share of an epoch whose links may read the embeddings.
  double embedded_share = 0;
};

// Movable. Constant while a step reads it; encoders and examples made from it
// point into it.
struct LearningInputs {
  FitOptions options;
  ImportedTraining training;
  GlobalEmbeddings embeddings;
  TrainingStatistics statistics;

  const GraphSnapshot& graph() const { return training.graph(); }

  // The network's sizes, with those that the graph and the embeddings set.
  NetworkOptions Network() const;

  // Names of the pair features of the graph, whether or not the network reads
  // them.
  std::vector<std::string> PairFeatureNames() const;

  // Encodes links as the options hide them. `contexts_per_link` 0: pair
  // features alone.
  LinkEncoder Encoder(const EncoderTables& tables, int contexts_per_link) const;

  // The labelled examples made from positives of the training graph.
  TrainingExamples Examples(ExampleDraw draw) const;

  // What early stopping looks at, encoded.
  ExampleChunk EncodeValid(const LinkEncoder& encoder,
                           const TrainingExamples& examples) const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_LEARNING_INPUTS_H_
