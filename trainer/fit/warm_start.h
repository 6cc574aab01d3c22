// An older bundle that a training starts from (fit --warm-start). Its network
// and embeddings know the links of its train graph, so none of these may be
// held out now; and its embeddings were made without the held fold, so the
// folds of both trainings must agree (docs/leakage.md, section 10).
#ifndef SLICE_TRAINER_FIT_WARM_START_H_
#define SLICE_TRAINER_FIT_WARM_START_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/slot_profile.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_snapshot.h"
#include "model/model_bundle.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/fit/fit_options.h"

namespace slice {

// How the vectors of a graph's nodes were made.
struct WarmVectorCounts {
  size_t kept = 0;      // nodes with their older vectors
  size_t gathered = 0;  // new nodes, with the mean of their neighbours' vectors
  size_t filled = 0;    // new nodes without such a neighbour: mean of the type
};

// Immutable; thread-safe.
class WarmStart {
 public:
  // Returns the errors of OfflineModel::Open; FAILED_PRECONDITION when the
  // bundle is leaky, or of a slice that did not write down the folds.
  static absl::StatusOr<std::shared_ptr<const WarmStart>> Open(
      const std::filesystem::path& directory);

  const ModelBundle& bundle() const { return model_->bundle(); }
  const BundleManifest& manifest() const { return bundle().manifest(); }
  // The train graph of the bundle.
  const GraphSnapshot& graph() const { return model_->graph(); }

  // INVALID_ARGUMENT naming the flag that differs from the older training:
  // the preset, the folds, the links of a pair, or the source and the size of
  // the embeddings.
  absl::Status CheckOptions(const FitOptions& options) const;

  // FAILED_PRECONDITION when a positive of valid or test is a train link of the
  // bundle: it names the first one and counts all.
  absl::Status CheckHeldOut(const ImportedGraph& imported) const;

  // [nodes, dim]: the vectors of the nodes of `embedding_graph`, matched by
  // key. A node that the bundle does not know, or knew without a link outside
  // its held fold, gets the mean of its neighbours' vectors in
  // `embedding_graph`, scaled to the mean length of a vector; or the mean of
  // its type when none of the nodes around it has a vector. `dim` is that of
  // the vectors without attributes.
  std::vector<float> VectorsFor(const GraphSnapshot& embedding_graph, int dim,
                                WarmVectorCounts* counts) const;

  // The slot profile of the bundle for a graph with these relations. A new
  // relation adds nothing to it. Nothing when the bundle has no profile.
  absl::StatusOr<std::optional<SlotProfile>> ProfileFor(
      const std::vector<std::string>& relations) const;

 private:
  WarmStart() = default;
  // By older id: whether the node has a link outside the held fold.
  std::vector<bool> LinkedNodes() const;

  std::unique_ptr<OfflineModel> model_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_WARM_START_H_
