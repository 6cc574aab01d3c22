// Trains node2vec twice: on the graph with the held-out positives, and on the
// training graph alone. Each time it scores the test links by dot products, at
// the threshold with the best F1 on valid.
#include "trainer/leak_command.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/fit/leaky_snapshot.h"
#include "trainer/threads_flag.h"
#include "trainer/training_files_flags.h"
#include "trainer/walk_flags.h"

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

struct LeakFlags {
  LeakOptions options;
  std::filesystem::path valid, test;
  LinkFileTexts link_files;
};

absl::Status FinishLeak(LeakFlags& flags) {
  flags.options.files.held_out = {flags.valid, flags.test};
  return ApplyLinkFileTexts(flags.link_files, &flags.options.files);
}

}  // namespace

absl::StatusOr<LeakFigures> MeasureLeak(const LeakOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const ImportedGraph imported,
                         ImportEdgeList(options.files));
  LeakFigures figures;
  LogWarning(
      "LEAKY: the first of two trainings of node2vec sees the valid and test "
      "links, as in the published protocol");
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

StatusRun DefineLeak(CommandFlags& flags) {
  const auto leak = std::make_shared<LeakFlags>();
  LeakOptions& options = leak->options;
  AddTrainingFiles(flags, {options.files.train, leak->valid, leak->test,
                           options.files.nodes, leak->link_files});
  Node2vecOptions& node2vec = options.node2vec;
  flags.Add("--dim", node2vec.dim, "numbers per node");
  AddWalkFlags(flags, node2vec);
  flags.Add("--seed", node2vec.seed, "seed of everything random");
  AddThreads(flags, node2vec.threads);
  flags.AddSwitch("--json", options.json, "print the figures as JSON");
  flags.Check([leak] { return FinishLeak(*leak); });
  return [leak](const CommandStreams&) { return RunLeak(leak->options); };
}

}  // namespace slice
