#include "trainer/fit/structural_parts.h"

#include <nlohmann/json.hpp>

namespace slice {

nlohmann::json StructuralParts(const FitOptions& options) {
  return {{"--among-kind-negatives", options.among_kind_negatives},
          {"--own-pair-links", OwnPairLinksName(options.own_pair_links)},
          {"--negatives", options.negatives_per_positive},
          {"--typed-negatives", options.typed_negatives},
          {"--self-negatives", options.self_negatives},
          {"--off-schema-negatives", options.off_schema_negatives},
          {"--new-node-share", options.new_node_share},
          {"--structural-epochs", options.structural_epochs},
          {"--structural-learning-rate", options.structural_learning_rate},
          {"--structural-positives", options.structural_positives},
          {"--batch-size", options.batch_size}};
}

}  // namespace slice
