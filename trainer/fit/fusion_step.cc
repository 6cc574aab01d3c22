#include "trainer/fit/fusion_step.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "common/logging.h"
#include "common/status_macros.h"
#include "context/knowledge_vectors.h"
#include "trainer/evaluation/knowledge_fusion.h"
#include "trainer/fit/evaluation_step.h"
#include "trainer/fit/frozen_model.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Increase this when the same model comes to get other weights.
constexpr int kFusionVersion = 3;

}  // namespace

absl::Status FusedKnowledge::ApplyTo(TrainedModel& model) const {
  model.fused = fingerprint;
  model.fusion_reason = reason;
  if (!used) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(GraphStatistics all,
                         GraphStatistics::Load(statistics_file));
  const GraphSnapshot& graph = model.inputs.graph();
  StructuralScorer& structural = model.structural;
  structural.statistics = std::move(all);
  structural.statistics_file = statistics_file;
  SLICE_ASSIGN_OR_RETURN(
      structural.tables,
      EncoderTables::FromStatistics(
          structural.statistics, graph.relation_count(), graph.node_count(),
          static_cast<size_t>(model.inputs.training.network.pair_features)));
  return absl::OkStatus();
}

std::filesystem::path FusionStep::File() const {
  return model_.inputs.options.WorkFile("statistics_fused.bin");
}

absl::StatusOr<StepFingerprint> FusionStep::Fingerprint() const {
  return MakeStepFingerprint(
      kName, {{"the step fine-tune", model_.fine_tuned.fingerprint},
              {"the step rank", model_.ranking.fingerprint},
              {"the step knowledge", embedding_.fingerprint},
              {"the version of the fusion", kFusionVersion}});
}

absl::StatusOr<Json> FusionStep::Run() const {
  const GraphSnapshot& graph = model_.inputs.graph();
  SLICE_ASSIGN_OR_RETURN(GraphStatistics knowledge,
                         GraphStatistics::Load(embedding_.file));
  const auto relations = static_cast<int64_t>(graph.relation_count());
  const int64_t width = 1 + KnowledgeVectors::kQuestions;
  knowledge.Set("knowledge.terms",
                {{relations, width},
                 std::vector<float>(static_cast<size_t>(relations * width))});
  SLICE_ASSIGN_OR_RETURN(
      const std::optional<KnowledgeVectors> vectors,
      KnowledgeVectors::FromStatistics(knowledge, graph.node_count(),
                                       graph.relation_count()));
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_, model_.fine_tuned.network_file));
  ModelEvaluation evaluation = frozen.Evaluation();
  evaluation.limits =
      EvaluationLimitsOf(model_.inputs.options, graph.link_count());
  SLICE_ASSIGN_OR_RETURN(KnowledgeFusion fusion,
                         FuseKnowledge(evaluation, *vectors));
  LogInfo("knowledge graph embedding: %s", fusion.reason);
  if (fusion.used) {
    SLICE_ASSIGN_OR_RETURN(
        GraphStatistics all,
        GraphStatistics::Load(model_.structural.statistics_file));
    for (const auto& [name, array] : knowledge.arrays()) all.Set(name, array);
    all.Set("knowledge.terms", std::move(fusion.terms));
    SLICE_RETURN_IF_ERROR(all.Save(File()));
  }
  return Json{{"used", fusion.used}, {"reason", fusion.reason}};
}

absl::StatusOr<FusedKnowledge> FusionStep::Load(const Json& record) const {
  FusedKnowledge fused;
  fused.used = record["used"].get<bool>();
  fused.reason = record["reason"].get<std::string>();
  if (fused.used) fused.statistics_file = File();
  return fused;
}

}  // namespace slice
