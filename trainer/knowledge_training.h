// Trains the knowledge graph embedding that `fit` puts beside the network: the
// method `complex` (trainer/methods/knowledge/complex.h), with one vector for
// each relation.
#ifndef SLICE_TRAINER_KNOWLEDGE_TRAINING_H_
#define SLICE_TRAINER_KNOWLEDGE_TRAINING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"

namespace slice {

struct KnowledgeTrainingOptions {
  size_t dim = 256;    // real numbers per node; even
  int epochs = 50;     // at most
  int look_every = 2;  // epochs from one measurement of valid to the next
  uint64_t seed = 1;
  int threads = 1;
};

// The vectors of KnowledgeVectors (context/knowledge_vectors.h).
struct TrainedKnowledge {
  std::vector<float> nodes;      // [nodes, dim]; 0 for nodes without links
  std::vector<float> relations;  // [relations, dim]
  std::vector<double> losses;    // by epoch
};

// Learns from the links of `snapshot`; the positives of `valid` decide when to
// stop. Returns the errors of TrainComplex.
absl::StatusOr<TrainedKnowledge> TrainKnowledge(
    const GraphSnapshot& snapshot, std::span<const LabelledLink> valid,
    const KnowledgeTrainingOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_KNOWLEDGE_TRAINING_H_
