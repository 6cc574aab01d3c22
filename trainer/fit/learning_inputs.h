// What every network of a training run learns from and is measured with.
#ifndef SLICE_TRAINER_FIT_LEARNING_INPUTS_H_
#define SLICE_TRAINER_FIT_LEARNING_INPUTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/encoder_tables.h"
#include "context/link_encoder.h"
#include "model/network_options.h"
#include "trainer/fit/embedding_step.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/statistics_step.h"
#include "trainer/learning/training_examples.h"

namespace slice {

// Which positives a step learns from, and how its epochs are drawn from them.
struct ExampleDraw {
  std::vector<Link> positives;
  uint64_t salt = 0;  // makes the draws of two steps differ
  // As TrainingExampleOptions::embedded_share.
  double embedded_share = 0;
};

// Movable. Constant while a step reads it; encoders and examples made from it
// point into it.
struct LearningInputs {
  FitOptions options;
  ImportedTraining training;
  GlobalEmbeddings embeddings;
  TrainingStatistics statistics;
  std::string walk_reason;  // of WalkChoice; empty without that step

  const GraphSnapshot& graph() const { return training.graph(); }

  // The options of the network, with the sizes that the graph and the
  // embeddings set.
  NetworkOptions Network() const;

  // Names of the pair features of the graph, whether or not the network reads
  // them.
  std::vector<std::string> PairFeatureNames() const;

  // Makes an encoder that hides links as `options` say. With
  // `contexts_per_link` 0 it computes pair features alone.
  LinkEncoder Encoder(const EncoderTables& tables, int contexts_per_link) const;

  // The labelled examples made from positives of the training graph.
  // Returns the errors of NewNodes::Add().
  absl::StatusOr<TrainingExamples> Examples(ExampleDraw draw) const;

  // Encodes the examples made from valid, by which early stopping goes.
  ExampleChunk EncodeValid(const LinkEncoder& encoder,
                           const TrainingExamples& examples) const;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_LEARNING_INPUTS_H_
