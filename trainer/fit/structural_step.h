// The step `structural`: fits the scaling of the pair features, and trains the
// structural scorer, which reads these features alone. Writes statistics.bin
// and structural.pt.
#ifndef SLICE_TRAINER_FIT_STRUCTURAL_STEP_H_
#define SLICE_TRAINER_FIT_STRUCTURAL_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/encoder_tables.h"
#include "graphstore/graph_statistics.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Movable, not copyable: the tables are views into the statistics.
struct StructuralScorer {
  StructuralScorer() = default;
  StructuralScorer(StructuralScorer&&) = default;
  StructuralScorer& operator=(StructuralScorer&&) = default;

  // The statistics of the whole training graph, with the scaling of the
  // features.
  GraphStatistics statistics;
  EncoderTables tables;
  std::filesystem::path statistics_file;
  std::filesystem::path network_file;
  std::vector<NamedCurve> losses;
  std::string fingerprint;
};

// A step as finish_step.h describes it. `inputs` must outlive it. A network
// that reads no pair features is built here too, and left untrained.
class StructuralStep {
 public:
  static constexpr char kName[] = "structural";

  explicit StructuralStep(const LearningInputs& inputs) : inputs_(inputs) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<StructuralScorer> Load(const nlohmann::json& record) const;

 private:
  bool HasPairFeatures() const {
    return inputs_.training.network.pair_features > 0;
  }
  std::filesystem::path StatisticsFile() const;
  std::filesystem::path NetworkFile() const;

  const LearningInputs& inputs_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_STRUCTURAL_STEP_H_
