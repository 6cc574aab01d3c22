// A bundle opened for offline use: its graph in memory and its scorer.
#ifndef SLICE_TRAINER_EVALUATION_OFFLINE_MODEL_H_
#define SLICE_TRAINER_EVALUATION_OFFLINE_MODEL_H_

#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "model/link_predictor.h"
#include "model/model_bundle.h"
#include "trainer/evaluation/link_scoring.h"

namespace slice {

// Owns everything a ScoringModel points to. Immutable; thread-safe.
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

  const ModelBundle& bundle() const { return *bundle_; }
  const GraphSnapshot& graph() const { return *snapshot_; }
  ScoringModel scoring() const {
    return {snapshot_.get(), encoder_.get(), predictor_.get()};
  }

 private:
  OfflineModel() = default;

  std::shared_ptr<const ModelBundle> bundle_;
  std::shared_ptr<const GraphSnapshot> snapshot_;
  std::unique_ptr<LinkEncoder> encoder_;
  std::unique_ptr<LinkPredictor> predictor_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_OFFLINE_MODEL_H_
