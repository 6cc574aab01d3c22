#include "trainer/fit/fusion_step.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "context/knowledge_vectors.h"
#include "trainer/evaluation/knowledge_fusion.h"
#include "trainer/evaluation/ranking_choice.h"
#include "trainer/evaluation/ranking_trials.h"
#include "trainer/fit/evaluation_limits.h"
#include "trainer/fit/frozen_model.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Increase this when the same model comes to get other weights.
constexpr int kFusionVersion = 8;
// A choice needs more questions than a measurement of the same length.
constexpr size_t kRankingFactor = 8;

Json RuleWeightsToJson(const std::array<RuleWeights, 2>& weights) {
  Json json;
  for (const RuleWeights& of : weights) {
    json.push_back({{"rules", of.rules}, {"constants", of.constants}});
  }
  return json;
}

}  // namespace

absl::Status ApplyFusion(ModelFusion fusion, TrainedModel& model) {
  model.fusion = std::move(fusion);
  if (!model.fusion.uses_network) model.ranking.network_file.clear();
  const std::filesystem::path& file = model.fusion.statistics_file;
  if (file.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(GraphStatistics all, GraphStatistics::Load(file));
  const GraphSnapshot& graph = model.inputs.graph();
  StructuralScorer& structural = model.structural;
  structural.statistics = std::move(all);
  structural.statistics_file = file;
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
              {"the step knowledge", embedding_ ? embedding_->fingerprint : ""},
              {"--full-evaluation", model_.inputs.options.full_evaluation},
              {"the version of the fusion", kFusionVersion}});
}

absl::StatusOr<GraphStatistics> FusionStep::Knowledge(
    std::span<const LabelledLink> valid) const {
  SLICE_ASSIGN_OR_RETURN(GraphStatistics knowledge,
                         GraphStatistics::Load(embedding_->file));
  const GraphSnapshot& graph = model_.inputs.graph();
  const size_t relations = graph.relation_count();
  constexpr size_t kWidth = 1 + KnowledgeVectors::kQuestions;
  NamedArray terms{{static_cast<int64_t>(relations), kWidth},
                   std::vector<float>(relations * kWidth)};
  knowledge.Set("knowledge.terms", terms);
  SLICE_ASSIGN_OR_RETURN(const auto vectors,
                         KnowledgeVectors::FromStatistics(
                             knowledge, graph.node_count(), relations));
  const std::vector<float> centers =
      KnowledgeCenters(valid, vectors.value(), relations);
  for (size_t r = 0; r < relations; ++r) terms.values[r * kWidth] = centers[r];
  knowledge.Set("knowledge.terms", std::move(terms));
  return knowledge;
}

absl::Status FusionStep::SaveStatistics(const GraphStatistics& knowledge,
                                        const KnowledgeFusion& fused) const {
  SLICE_ASSIGN_OR_RETURN(
      GraphStatistics all,
      GraphStatistics::Load(model_.structural.statistics_file));
  for (const auto& [name, array] : knowledge.arrays()) all.Set(name, array);
  all.Set("knowledge.terms", fused.terms);
  all.Set("knowledge.kind", fused.among_kind_and_ranking);
  return all.Save(File());
}

size_t FusionStep::QuestionsWithoutLimits(
    std::span<const LabelledLink> valid) const {
  EvaluationLimits limits;
  limits.ranking_scores *= kRankingFactor;
  return AffordableQuestions(model_.inputs.graph(), valid, limits).size();
}

absl::StatusOr<RankingChoice> FusionStep::Rank(
    ModelEvaluation evaluation, const KnowledgeVectors* vectors) const {
  evaluation.limits.ranking_scores *= kRankingFactor;
  const std::filesystem::path& file = model_.ranking.network_file;
  if (file.empty()) return ChooseRanking(evaluation, {nullptr, vectors});
  SLICE_ASSIGN_OR_RETURN(const FrozenModel ranking,
                         FrozenModel::Load(model_, file, {}));
  return ChooseRanking(evaluation,
                       {ranking.Evaluation().model.scorer, vectors});
}

absl::StatusOr<Json> FusionStep::Run() const {
  const GraphSnapshot& graph = model_.inputs.graph();
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_, model_.fine_tuned.network_file, {}));
  ModelEvaluation evaluation = frozen.Evaluation();
  evaluation.limits =
      EvaluationLimitsOf(model_.inputs.options, graph.link_count());
  GraphStatistics knowledge;  // empty without an embedding
  if (embedding_) {
    SLICE_ASSIGN_OR_RETURN(knowledge, Knowledge(evaluation.valid));
  }
  SLICE_ASSIGN_OR_RETURN(
      const std::optional<KnowledgeVectors> vectors,
      KnowledgeVectors::FromStatistics(knowledge, graph.node_count(),
                                       graph.relation_count()));
  SLICE_ASSIGN_OR_RETURN(const RankingChoice choice,
                         Rank(evaluation, vectors ? &*vectors : nullptr));
  KnowledgeFusion fused;
  if (vectors) {
    SLICE_ASSIGN_OR_RETURN(
        fused, FuseKnowledge(evaluation, *vectors, choice.knowledge_weights));
    fused.reason =
        absl::StrCat(fused.reason, "; ranking: ", choice.knowledge_reason);
  }
  if (fused.used) {
    SLICE_RETURN_IF_ERROR(SaveStatistics(knowledge, fused));
  }
  for (const auto& [name, reason] :
       {std::pair("ranking network", choice.network_reason),
        std::pair("knowledge graph embedding", fused.reason)}) {
    if (!reason.empty()) LogInfo("%s: %s", name, reason);
  }
  return Json{
      {"rule_weights", RuleWeightsToJson(choice.rule_weights)},
      {"uses_network", choice.uses_network},
      {"network_reason", choice.network_reason},
      {"asked", choice.asked},
      {"of", choice.asked == 0 ? 0 : QuestionsWithoutLimits(evaluation.valid)},
      {"uses_knowledge", fused.used},
      {"knowledge_reason", fused.reason}};
}

absl::StatusOr<ModelFusion> FusionStep::Load(const Json& record) const {
  ModelFusion fusion;
  for (size_t d = 0; d < 2; ++d) {
    const Json& weights = record.at("rule_weights").at(d);
    fusion.rule_weights[d] = {weights.at("rules").get<double>(),
                              weights.at("constants").get<double>()};
  }
  fusion.uses_network = record.at("uses_network").get<bool>();
  if (record.at("uses_knowledge").get<bool>()) fusion.statistics_file = File();
  fusion.network_reason = record.at("network_reason").get<std::string>();
  fusion.knowledge_reason = record.at("knowledge_reason").get<std::string>();
  fusion.asked = record.at("asked").get<size_t>();
  fusion.of = record.at("of").get<size_t>();
  return fusion;
}

}  // namespace slice
