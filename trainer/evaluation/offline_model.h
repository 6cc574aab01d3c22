// A bundle opened for offline use: its graph in memory and its scorer.
#ifndef SLICE_TRAINER_EVALUATION_OFFLINE_MODEL_H_
#define SLICE_TRAINER_EVALUATION_OFFLINE_MODEL_H_

#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/unknown_nodes.h"
#include "graphstore/graph_snapshot.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"
#include "trainer/evaluation/link_scoring.h"

namespace slice {

// Owns everything a ScoringModel points to. Thread-safe once it answers.
class OfflineModel {
 public:
  // Opens and verifies the bundle, reads its graph through a temporary store
  // and loads its network to be run by `path`. Returns the errors of
  // ModelBundle::Open, CheckGraph (model/manifest_check.h) and
  // LinkPredictor::Create.
  static absl::StatusOr<std::unique_ptr<OfflineModel>> Open(
      const std::filesystem::path& bundle_directory,
      ForwardPath path = ForwardPath::kAuto);

  // FAILED_PRECONDITION, naming the preset, when the bundle has no structural
  // scorer to rank candidates by.
  absl::Status CheckRankable() const;

  // Answers on the graph of `other` from now on, as a server does whose graph
  // has changed since the training: nodes that the bundle does not know are
  // folded in. `other` must outlive the model. FAILED_PRECONDITION unless each
  // relation, node type and node of the bundle has the same id there.
  absl::Status MoveToGraphOf(const OfflineModel& other);

  const ModelBundle& bundle() const { return *bundle_; }
  const GraphSnapshot& graph() const { return *snapshot_; }
  // The train graph of the bundle.
  const GraphSnapshot& trained_graph() const { return *trained_; }
  ScoringModel scoring() const {
    return {snapshot_.get(), encoder_.get(), predictor_.get()};
  }

 private:
  OfflineModel() = default;

  std::shared_ptr<const ModelBundle> bundle_;
  std::shared_ptr<const GraphSnapshot> trained_;
  std::shared_ptr<const GraphSnapshot> snapshot_;  // trained_, or another's
  std::unique_ptr<UnknownNodes> unknown_nodes_;    // after MoveToGraphOf()
  std::unique_ptr<LinkEncoder> encoder_;
  std::unique_ptr<LinkPredictor> predictor_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_OFFLINE_MODEL_H_
