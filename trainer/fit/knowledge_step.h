// The step `knowledge`: trains a knowledge graph embedding (ComplEx) on the
// train links. How much it counts is decided later (fusion_step.h).
#ifndef SLICE_TRAINER_FIT_KNOWLEDGE_STEP_H_
#define SLICE_TRAINER_FIT_KNOWLEDGE_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/knowledge_training.h"
#include "trainer/report/report_parts.h"

namespace slice {

// Whether a run on a graph of this size trains such an embedding: the scorers
// with pair features can be fused with it, and its tables must not be too
// large.
bool TrainsKnowledge(const FitOptions& options, size_t nodes, size_t links);

// How many numbers a node of a graph of this size gets, and how many epochs the
// embedding learns at most.
size_t KnowledgeDim(size_t nodes);
int KnowledgeEpochs(size_t links);

struct KnowledgeEmbedding {
  // GraphStatistics with "knowledge.nodes" and "knowledge.relations"
  // (context/knowledge_vectors.h).
  std::filesystem::path file;
  std::vector<NamedCurve> losses;
  std::string fingerprint;
};

// A step as finish_step.h describes it. `options` and `training` must outlive
// it.
class KnowledgeStep {
 public:
  static constexpr char kName[] = "knowledge";

  KnowledgeStep(const FitOptions& options, const ImportedTraining& training)
      : options_(options), training_(training) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<KnowledgeEmbedding> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path File() const;
  KnowledgeTrainingOptions TrainingOptions() const;

  const FitOptions& options_;
  const ImportedTraining& training_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_KNOWLEDGE_STEP_H_
