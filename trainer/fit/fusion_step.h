// The step `fuse`: decides on valid what counts beside the network: rules, the
// ranking network and the knowledge graph embedding. Writes the statistics that
// the fused model reads.
#ifndef SLICE_TRAINER_FIT_FUSION_STEP_H_
#define SLICE_TRAINER_FIT_FUSION_STEP_H_

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/knowledge_vectors.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/labelled_link.h"
#include "trainer/evaluation/knowledge_fusion.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/ranking_choice.h"
#include "trainer/fit/knowledge_step.h"
#include "trainer/fit/model_fusion.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/trained_model.h"

namespace slice {

// A step as finish_step.h describes it; what it is given must outlive it.
class FusionStep {
 public:
  static constexpr char kName[] = "fuse";

  // `embedding` may be absent, as may the ranking network of `model`.
  FusionStep(const TrainedModel& model,
             const std::optional<KnowledgeEmbedding>& embedding)
      : model_(model), embedding_(embedding) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<ModelFusion> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path File() const;
  // The arrays of the embedding, with the centers of relations and weights of
  // 0.
  absl::StatusOr<GraphStatistics> Knowledge(
      std::span<const LabelledLink> valid) const;
  // How many questions Rank asks with --full-evaluation.
  size_t QuestionsWithoutLimits(std::span<const LabelledLink> valid) const;
  // What orders candidates; `vectors` may be null.
  absl::StatusOr<RankingChoice> Rank(ModelEvaluation evaluation,
                                     const KnowledgeVectors* vectors) const;
  absl::Status SaveStatistics(const GraphStatistics& knowledge,
                              const KnowledgeFusion& fused) const;

  const TrainedModel& model_;
  const std::optional<KnowledgeEmbedding>& embedding_;
};

// Makes `model` score as `fusion` says.
absl::Status ApplyFusion(ModelFusion fusion, TrainedModel& model);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FUSION_STEP_H_
