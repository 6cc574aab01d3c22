#include "trainer/leak_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/fit/leaky_snapshot.h"

namespace slice {
namespace {

using Json = nlohmann::json;

struct ScoredLinksWithLabels {
  std::vector<float> scores;
  std::vector<uint8_t> labels;
};

ScoredLinksWithLabels DotProducts(const std::vector<LabelledLink>& links,
                                  const std::vector<float>& embeddings,
                                  int dim) {
  ScoredLinksWithLabels scored;
  for (const LabelledLink& example : links) {
    const float* const u =
        embeddings.data() + size_t{example.link.source} * dim;
    const float* const v =
        embeddings.data() + size_t{example.link.target} * dim;
    double product = 0;
    for (int k = 0; k < dim; ++k) product += double{u[k]} * v[k];
    scored.scores.push_back(static_cast<float>(product));
    scored.labels.push_back(example.positive ? 1 : 0);
  }
  return scored;
}

absl::StatusOr<BinaryMetrics> MeasureNode2vec(const GraphSnapshot& graph,
                                              const ImportedGraph& imported,
                                              const Node2vecOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<float> embeddings,
                         TrainNode2vec(GraphView(graph), options));
  const auto valid = DotProducts(imported.held_out[0], embeddings, options.dim);
  const auto test = DotProducts(imported.held_out[1], embeddings, options.dim);
  return EvaluateBinary(test.scores, test.labels,
                        BestF1Threshold(valid.scores, valid.labels));
}

Json ToJson(const BinaryMetrics& metrics) {
  return {{"auroc", metrics.auroc},
          {"average_precision", metrics.average_precision},
          {"f1", metrics.f1},
          {"accuracy", metrics.accuracy}};
}

}  // namespace

absl::StatusOr<LeakFigures> MeasureLeak(const LeakOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const ImportedGraph imported,
                         ImportEdgeList(options.files));
  LeakFigures figures;
  LogWarning(
      "LEAKY: the first run walks over the valid and test links, as published");
  SLICE_ASSIGN_OR_RETURN(const auto leaky, BuildLeakySnapshot(imported));
  SLICE_ASSIGN_OR_RETURN(figures.leaky,
                         MeasureNode2vec(*leaky, imported, options.node2vec));
  SLICE_ASSIGN_OR_RETURN(const auto graph, GraphSnapshot::Build(imported.data));
  SLICE_ASSIGN_OR_RETURN(figures.honest,
                         MeasureNode2vec(*graph, imported, options.node2vec));
  return figures;
}

absl::Status RunLeak(const LeakOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const LeakFigures figures, MeasureLeak(options));
  if (options.json) {
    const Json json = {{"seed", options.node2vec.seed},
                       {"leaky", ToJson(figures.leaky)},
                       {"honest", ToJson(figures.honest)}};
    std::printf("%s\n", json.dump(2).c_str());
    return absl::OkStatus();
  }
  const auto row = [](const char* name, const BinaryMetrics& metrics) {
    std::printf("%s\n", absl::StrFormat("%-44s %6.2f  %6.2f", name,
                                        100 * metrics.auroc, 100 * metrics.f1)
                            .c_str());
  };
  std::printf("%-44s %6s  %6s\n", "node2vec, dot product", "AUROC", "F1");
  row("LEAKY: valid and test links in its graph", figures.leaky);
  row("train links alone", figures.honest);
  return absl::OkStatus();
}

}  // namespace slice
