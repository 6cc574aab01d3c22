// The step `fuse`: decides on valid how much the knowledge graph embedding
// counts beside the network, and writes the statistics of both.
#ifndef SLICE_TRAINER_FIT_FUSION_STEP_H_
#define SLICE_TRAINER_FIT_FUSION_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_statistics.h"
#include "trainer/fit/knowledge_step.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/trained_model.h"

namespace slice {

struct FusedKnowledge {
  bool used = false;
  std::string reason;  // for the report
  // The statistics of the structural step with those of KnowledgeVectors; empty
  // unless used.
  std::filesystem::path statistics_file;
  std::string fingerprint;

  // Makes `model` score with the embedding.
  absl::Status ApplyTo(TrainedModel& model) const;
};

// A step as finish_step.h describes it; what it is given must outlive it.
class FusionStep {
 public:
  static constexpr char kName[] = "fuse";

  FusionStep(const TrainedModel& model, const KnowledgeEmbedding& embedding)
      : model_(model), embedding_(embedding) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<FusedKnowledge> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path File() const;

  const TrainedModel& model_;
  const KnowledgeEmbedding& embedding_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FUSION_STEP_H_
