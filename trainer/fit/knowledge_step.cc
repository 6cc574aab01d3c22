#include "trainer/fit/knowledge_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/graph_statistics.h"
#include "trainer/fit/training_record.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Increase this when the same links come to give another embedding.
constexpr int kKnowledgeVersion = 2;
// The most numbers in the table of nodes, and the least of a node.
constexpr size_t kMostNumbers = size_t{1} << 26;
constexpr size_t kDim = 256, kLeastDim = 32;
// Links that all epochs together pass over, and how many epochs there may be.
constexpr size_t kLinksOfAllEpochs = 3'000'000;
constexpr int kFewestEpochs = 6, kMostEpochs = 60;

NamedArray Rows(std::vector<float> values, size_t dim) {
  return {
      {static_cast<int64_t>(values.size() / dim), static_cast<int64_t>(dim)},
      std::move(values)};
}

}  // namespace

size_t KnowledgeDim(size_t nodes) {
  const size_t affordable = kMostNumbers / std::max<size_t>(1, nodes);
  return std::min(kDim, affordable / 2 * 2);
}

int KnowledgeEpochs(size_t links) {
  return static_cast<int>(
      std::clamp<size_t>(kLinksOfAllEpochs / std::max<size_t>(1, links),
                         kFewestEpochs, kMostEpochs));
}

bool TrainsKnowledge(const FitOptions& options, size_t nodes, size_t links) {
  return options.knowledge && options.uses_pair_features() && links > 0 &&
         KnowledgeDim(nodes) >= kLeastDim;
}

std::filesystem::path KnowledgeStep::File() const {
  return options_.WorkFile("knowledge.bin");
}

KnowledgeTrainingOptions KnowledgeStep::TrainingOptions() const {
  KnowledgeTrainingOptions options;
  options.dim = KnowledgeDim(training_.graph().node_count());
  options.epochs = KnowledgeEpochs(training_.graph().link_count());
  options.look_every = std::max(1, options.epochs / 12);
  options.seed = CombineHash(options_.seed, 21);
  options.threads = options_.WorkerThreads();
  return options;
}

absl::StatusOr<StepFingerprint> KnowledgeStep::Fingerprint() const {
  return MakeStepFingerprint(
      kName, {{"the version of the embedding", kKnowledgeVersion}},
      training_.parts);
}

absl::StatusOr<Json> KnowledgeStep::Run() const {
  const KnowledgeTrainingOptions options = TrainingOptions();
  SLICE_ASSIGN_OR_RETURN(
      TrainedKnowledge trained,
      TrainKnowledge(training_.graph(), training_.valid(), options));
  GraphStatistics statistics;
  statistics.Set("knowledge.nodes",
                 Rows(std::move(trained.nodes), options.dim));
  statistics.Set("knowledge.relations",
                 Rows(std::move(trained.relations), options.dim));
  SLICE_RETURN_IF_ERROR(statistics.Save(File()));
  return Json{{"losses", trained.losses}};
}

absl::StatusOr<KnowledgeEmbedding> KnowledgeStep::Load(
    const Json& record) const {
  KnowledgeEmbedding embedding;
  embedding.file = File();
  embedding.losses.push_back(LossCurve("knowledge graph embedding", record));
  return embedding;
}

}  // namespace slice
