// Makes the global embeddings, in these steps:
//   1. a vector per node: node2vec on the graph without the held fold, the rows
//      of a file, zeros, or random numbers (FitOptions::embedding_source);
//   2. the vectors are scaled to unit mean square, so that training starts from
//      the same scale, whichever source the vectors came from;
//   3. the standardized attributes are put behind them, and the table saved.
// The fingerprint of each source covers its own options alone: node2vec's
// settings do not matter to a run that reads a file.
#include "trainer/fit/embedding_step.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/files.h"
#include "common/logging.h"
#include "common/random.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "graphstore/graph_export.h"
#include "model/model_bundle.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/fit/embedding_attributes.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/training_record.h"
#include "trainer/fit/warm_start.h"

namespace slice {
namespace {

using Json = nlohmann::json;

void ScaleToUnitMeanSquare(std::vector<float>& values) {
  double squares = 0;
  for (float value : values) squares += double{value} * value;
  if (squares == 0) return;
  const auto factor = static_cast<float>(std::sqrt(values.size() / squares));
  for (float& value : values) value *= factor;
}

Json Node2vecParts(const Node2vecOptions& options) {
  return {{"--embeddings", "node2vec"},
          {"--dim", options.dim},
          {"--walks-per-node", options.walks_per_node},
          {"--walk-length", options.walk_length},
          {"--window", options.window},
          {"--node2vec-negatives", options.negatives},
          {"--p", options.p},
          {"--q", options.q},
          {"--subsample", options.subsample},
          {"--node2vec-epochs", options.epochs},
          {"--node2vec-learning-rate", options.learning_rate}};
}

}  // namespace

std::filesystem::path EmbeddingStep::File() const {
  return options_.WorkFile("embeddings.bin");
}

absl::StatusOr<StepFingerprint> EmbeddingStep::Fingerprint() const {
  SLICE_ASSIGN_OR_RETURN(Json parts, SourceParts());
  if (!training_.attributes.columns.empty()) {
    parts["the attributes of nodes"] = AttributeDigest(training_.attributes);
  }
  return MakeStepFingerprint(kName, parts, training_.parts);
}

absl::StatusOr<Json> EmbeddingStep::SourceParts() const {
  switch (options_.embedding_source) {
    case EmbeddingSource::kNode2vec:
      if (IsWarm()) return Json{{"--embeddings", "of the older bundle"}};
      return Node2vecParts(options_.node2vec);
    case EmbeddingSource::kNone:
      return Json{{"--embeddings", "none"}};
    case EmbeddingSource::kRandom:
      return Json{{"--embeddings", "random"}, {"--dim", options_.node2vec.dim}};
    case EmbeddingSource::kFile:
      break;
  }
  const EmbeddingFileOptions& file = options_.embedding_file;
  Json parts = {{"--embeddings", "a file"},
                {"--dim", file.dim},
                {"--fill-missing-embeddings", file.fill_missing}};
  SLICE_ASSIGN_OR_RETURN(parts["the file of --embeddings"],
                         Sha256File(file.path));
  if (const auto keys = EmbeddingKeysFile(file); !keys.empty()) {
    SLICE_ASSIGN_OR_RETURN(parts["the file of --embedding-keys"],
                           Sha256File(keys));
  }
  return parts;
}

absl::StatusOr<Json> EmbeddingStep::Run() const {
  switch (options_.embedding_source) {
    case EmbeddingSource::kFile:
      return RunFile();
    case EmbeddingSource::kNone:
      return RunNone();
    case EmbeddingSource::kRandom:
      return RunRandom();
    case EmbeddingSource::kNode2vec:
      break;
  }
  return IsWarm() ? RunWarm() : RunNode2vec();
}

bool EmbeddingStep::IsWarm() const { return training_.warm != nullptr; }

absl::StatusOr<Json> EmbeddingStep::RunNode2vec() const {
  Node2vecOptions node2vec = options_.node2vec;
  node2vec.threads = options_.WorkerThreads();
  node2vec.seed = options_.seed;
  Node2vecSummary summary;
  SLICE_ASSIGN_OR_RETURN(
      std::vector<float> embeddings,
      TrainNode2vec(GraphView(*training_.embedding_graph), node2vec, &summary));
  SLICE_RETURN_IF_ERROR(Save(std::move(embeddings), node2vec.dim));
  return Json{{"losses", summary.losses},
              {"walks", summary.walks},
              {"pairs", summary.pairs},
              {"isolated_nodes", summary.isolated_nodes},
              {"seconds", summary.seconds}};
}

absl::StatusOr<Json> EmbeddingStep::RunWarm() const {
  WarmVectorCounts counts;
  SLICE_RETURN_IF_ERROR(
      Save(training_.warm->VectorsFor(*training_.embedding_graph,
                                      options_.node2vec.dim, &counts),
           options_.node2vec.dim));
  LogInfo(
      "embeddings: %d nodes keep those of the older bundle, %d get the mean of "
      "their neighbours, %d that of their type",
      counts.kept, counts.gathered, counts.filled);
  return Json{{"kept", counts.kept},
              {"gathered", counts.gathered},
              {"filled", counts.filled}};
}

absl::StatusOr<Json> EmbeddingStep::RunFile() const {
  const std::string path = options_.embedding_file.path.string();
  SLICE_ASSIGN_OR_RETURN(
      FileEmbeddings embeddings,
      ReadEmbeddingFile(options_.embedding_file, training_.graph()));
  LogInfo("%s: %d numbers per node; %d nodes had no row, %d rows had no node",
          path, embeddings.dim, embeddings.missing_nodes,
          embeddings.unknown_rows);
  LogWarning(
      "embeddings from a file cannot be checked: if they were made from "
      "held-out links, every figure is too good (docs/leakage.md)");
  SLICE_RETURN_IF_ERROR(Save(std::move(embeddings.values), embeddings.dim));
  return Json{{"file", path},
              {"missing_nodes", embeddings.missing_nodes},
              {"unknown_rows", embeddings.unknown_rows}};
}

absl::StatusOr<Json> EmbeddingStep::RunNone() const {
  SLICE_RETURN_IF_ERROR(
      Save(std::vector<float>(training_.graph().node_count()), 1));
  return Json::object();
}

absl::StatusOr<Json> EmbeddingStep::RunRandom() const {
  const int dim = options_.node2vec.dim;
  Random random(CombineHash(options_.seed, HashBytes("random embeddings")));
  std::vector<float> values(training_.graph().node_count() * dim);
  for (float& value : values) {
    value = static_cast<float>(2 * random.Uniform() - 1);
  }
  SLICE_RETURN_IF_ERROR(Save(std::move(values), dim));
  return Json::object();
}

absl::Status EmbeddingStep::Save(std::vector<float> values, int dim) const {
  ScaleToUnitMeanSquare(values);
  const AttributeTable& attributes = training_.attributes;
  return EmbeddingTable::Save(
      File(), StackAttributes(std::move(values), dim, attributes),
      training_.graph().node_count(),
      dim + static_cast<int>(attributes.columns.size()));
}

absl::StatusOr<GlobalEmbeddings> EmbeddingStep::Load(const Json& record) const {
  GlobalEmbeddings embeddings;
  if (options_.embedding_source == EmbeddingSource::kRandom) {
    embeddings.trained_columns = options_.node2vec.dim;
  }
  NamedCurve curve = LossCurve("node2vec (per pair)", record);
  if (!curve.points.empty()) embeddings.losses.push_back(std::move(curve));
  return WithValuesOf(File(), std::move(embeddings));
}

absl::StatusOr<GlobalEmbeddings> WithValuesOf(const std::filesystem::path& file,
                                              GlobalEmbeddings embeddings) {
  SLICE_ASSIGN_OR_RETURN(const auto table, EmbeddingTable::Open(file));
  embeddings.values.assign(table->data(),
                           table->data() + table->rows() * table->dim());
  embeddings.dim = table->dim();
  embeddings.file = file;
  return embeddings;
}

absl::Status ExportEmbeddingGraph(const FitOptions& options,
                                  const ImportedTraining& training) {
  const std::filesystem::path& folder = options.export_embedding_graph;
  if (folder.empty()) return absl::OkStatus();
  SLICE_RETURN_IF_ERROR(CreateDirectories(folder));
  SLICE_RETURN_IF_ERROR(ExportGraphText(
      WithoutHeldFold(training), {folder / "links.tsv", folder / "nodes.tsv"}));
  LogInfo("%s holds the links that embeddings may be made from",
          (folder / "links.tsv").string());
  return absl::OkStatus();
}

}  // namespace slice
