// A served model with a real bundle. A test can watch the calls of its scorer.
#ifndef SLICE_TESTS_SERVER_RECOMMEND_MODEL_H_
#define SLICE_TESTS_SERVER_RECOMMEND_MODEL_H_

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "model/link_predictor.h"
#include "server/models/served_model.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/toy_bundle.h"
#include "tests/testing/toy_graph.h"

namespace slice {

// Calls `before`, then lets another scorer answer.
class WatchedScorer final : public BatchScorer {
 public:
  explicit WatchedScorer(std::unique_ptr<const BatchScorer> scorer)
      : scorer_(std::move(scorer)) {}

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override {
    if (before) before();
    return scorer_->Predict(batch);
  }
  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override {
    return scorer_->Explain(batch);
  }
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override {
    if (before_structural) before_structural();
    return scorer_->ScoreStructural(relation, pair_features, feature_count);
  }

  std::function<void()> before, before_structural;

 private:
  const std::unique_ptr<const BatchScorer> scorer_;
};

// The toy graph with `packages` more packages, each with a few dependencies.
inline GraphData LargerToyGraph(size_t packages) {
  GraphData data = ToyGraph();
  const auto toy = ToySnapshot();
  const NodeTypeId package = toy->Type(ToyNode(*toy, "curl"));
  const RelationId depends = ToyRelation(*toy, "depends");
  Random random(3);
  const auto first = static_cast<NodeId>(data.catalogue.nodes.size());
  for (size_t i = 0; i < packages; ++i) {
    const std::string name = absl::StrCat("package-", i);
    data.catalogue.nodes.push_back({name, name, package});
    const auto node = static_cast<NodeId>(first + i);
    for (int link = 0; i > 0 && link < 2; ++link) {
      data.links.push_back(
          {node, depends,
           static_cast<NodeId>(first +
                               random.Below(static_cast<uint32_t>(i)))});
    }
    // There is no hub: PredictLinks would only sample the paths over a hub.
    if (i % 25 == 0) {
      data.links.push_back({node, depends, ToyNode(*toy, "libssl3")});
    }
  }
  return data;
}

struct RecommendModel {
  explicit RecommendModel(const GraphData& data = ToyGraph(),
                          const std::string& preset = "default") {
    const auto written =
        WriteBundleFor(data, ToyNetworkOptions(preset), directory / "bundle");
    EXPECT_TRUE(written.ok()) << written;
    auto bundle = *ModelBundle::Open(directory / "bundle");
    auto model = std::make_shared<ServedModel>();
    model->name = "default";
    model->manifest = bundle->manifest();
    model->snapshot = BuildSnapshotOrDie(data);
    model->unknown_nodes = std::make_unique<const UnknownNodes>(
        bundle->node_embeddings(), *model->snapshot);
    model->encoder = *bundle->MakeEncoder(model->unknown_nodes.get());
    model->evidence = EvidenceTables::Of(*model->encoder, *model->snapshot);
    auto watched =
        std::make_unique<WatchedScorer>(*LinkPredictor::Create(bundle, {}));
    scorer = watched.get();
    model->scorer = std::move(watched);
    model->recommender = std::make_unique<const LinkRecommender>(
        *model->snapshot, *model->encoder, *model->scorer,
        model->manifest.reading.rule_weights);
    served = std::move(model);
  }

  const TempDirectory directory;
  std::shared_ptr<const ServedModel> served;
  WatchedScorer* scorer = nullptr;
};

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_RECOMMEND_MODEL_H_
