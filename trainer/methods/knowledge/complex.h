// ComplEx: relations multiply the vectors of nodes as complex numbers.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "trainer/methods/knowledge/complex_learner.h"
#include "trainer/methods/link_method.h"

namespace slice {

// "complex": Trouillon et al., ICML 2016, with reciprocal relations and N3
// (Lacroix et al., ICML 2018) and relation prediction (Chen et al., AKBC 2021).
MethodInfo ComplexMethod();

struct ComplexTraining {
  ComplexOptions options;
  int epochs = 100;  // at most
  int patience = 5;
  size_t valid_links = 2000;  // that early stopping ranks
  int look_every = 2;  // epochs from one measurement of valid to the next
  absl::Duration budget = absl::InfiniteDuration();
};

struct TrainedComplex {
  KnowledgeTables tables;
  MethodSummary summary;
};

// Learns from the links of `snapshot`, and keeps the state that ranks a sample
// of the positives of `valid` best. INVALID_ARGUMENT for an odd dim;
// FAILED_PRECONDITION for a graph without links; ABORTED as RunEpochs.
absl::StatusOr<TrainedComplex> TrainComplex(const GraphSnapshot& snapshot,
                                            std::span<const LabelledLink> valid,
                                            const ComplexTraining& training);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_COMPLEX_H_
