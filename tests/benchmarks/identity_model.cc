#include "tests/benchmarks/identity_model.h"

#include <utility>
#include <vector>

#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

class IdentityScorer final : public BatchScorer {
 public:
  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override {
    return std::vector<Prediction>(static_cast<size_t>(batch.links));
  }

  absl::StatusOr<ExplainedBatch> Explain(const ContextBatch&) const override {
    return absl::UnimplementedError("the identity model has no reasons");
  }
};

}  // namespace

std::shared_ptr<const ServedModel> MakeIdentityModel() {
  RandomMultigraphOptions graph;
  graph.nodes = 20'000;
  graph.links = 100'000;
  auto snapshot = BuildSnapshotOrDie(RandomMultigraph(graph, 1));

  auto model = std::make_shared<ServedModel>();
  model->name = "default";
  model->device = "cpu";
  model->manifest.bundle_id = "identity";
  model->manifest.preset = "identity";
  model->manifest.node_count = snapshot->node_count();
  model->manifest.relations = snapshot->relations();
  model->manifest.node_types = snapshot->node_types();
  LinkEncoderOptions options;
  options.contexts_per_link = 0;
  options.own_pair_links = OwnPairLinks::kShow;
  options.use_pair_features = false;
  model->encoder = std::make_unique<LinkEncoder>(
      std::move(options), snapshot->relation_count(),
      snapshot->node_type_count(), EncoderTables());
  model->scorer = std::make_unique<IdentityScorer>();
  model->snapshot = std::move(snapshot);
  return model;
}

}  // namespace slice
