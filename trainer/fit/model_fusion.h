// What counts beside the network, as the step `fuse` decided.
#ifndef SLICE_TRAINER_FIT_MODEL_FUSION_H_
#define SLICE_TRAINER_FIT_MODEL_FUSION_H_

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>

#include "model/prediction.h"

namespace slice {

struct ModelFusion {
  std::array<RuleWeights, 2> rule_weights;  // by the direction of a question
  bool uses_network = false;                // the ranking network
  // The statistics of the structural step with those of KnowledgeVectors; empty
  // unless the embedding counts.
  std::filesystem::path statistics_file;
  // For the report; empty without what they are about.
  std::string network_reason, knowledge_reason;
  // How many questions about valid were asked, of how many.
  size_t asked = 0, of = 0;
  std::string fingerprint;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_MODEL_FUSION_H_
