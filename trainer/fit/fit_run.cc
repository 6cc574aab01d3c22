#include "trainer/fit/fit_run.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "context/pattern_paths.h"
#include "graphstore/graph_export.h"
#include "model/model_bundle.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/leak_command.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr int kHeldFold = 0;
constexpr int kCommonMetapathSteps = 3;

// The training graph without the links of the held-back fold.
GraphData ReducedData(const GraphData& data, const LinkFolds& folds) {
  GraphData reduced = data;
  EraseFold(folds, kHeldFold, &reduced);
  return reduced;
}

// Scales the table to unit mean square, so that networks start alike whatever
// made it.
void NormalizeEmbeddings(std::vector<float>& values) {
  double squares = 0;
  for (float value : values) squares += double{value} * value;
  if (squares == 0) return;
  const auto factor = static_cast<float>(std::sqrt(values.size() / squares));
  for (float& value : values) value *= factor;
}

Json Node2vecJson(const Node2vecOptions& options) {
  return {{"dim", options.dim},
          {"walks_per_node", options.walks_per_node},
          {"walk_length", options.walk_length},
          {"window", options.window},
          {"negatives", options.negatives},
          {"p", options.p},
          {"q", options.q},
          {"subsample", options.subsample},
          {"epochs", options.epochs},
          {"learning_rate", options.learning_rate},
          {"seed", options.seed}};
}

}  // namespace

Json SummaryToJson(const TrainingSummary& summary) {
  return {{"losses", summary.losses},
          {"valid_auroc", summary.valid_auroc},
          {"best_epoch", summary.best_epoch},
          {"seconds", summary.seconds},
          {"examples", summary.examples}};
}

TrainingSummary SummaryFromJson(const Json& json) {
  TrainingSummary summary;
  summary.losses = json.value("losses", std::vector<double>());
  summary.valid_auroc = json.value("valid_auroc", std::vector<double>());
  summary.best_epoch = json.value("best_epoch", 0);
  summary.seconds = json.value("seconds", 0.0);
  summary.examples = json.value("examples", uint64_t{0});
  return summary;
}

FitRun::FitRun(const FitOptions& options)
    : options_(options),
      threads_(options.WorkerThreads()),
      log_(options.out.string() + ".work", kFitSteps) {}

std::filesystem::path FitRun::Work(const std::string& name) const {
  return options_.out.string() + ".work/" + name;
}

absl::Status FitRun::Import() {
  EdgeListImportOptions import = options_.files;
  import.train = options_.train;
  import.held_out = {options_.valid, options_.test};
  import.nodes = options_.nodes;
  import.strict_pairs = options_.strict_pairs;
  SLICE_ASSIGN_OR_RETURN(imported_, ImportEdgeList(import));
  if (options_.planted_leak != PlantedLeak::kNone) PlantLeak();
  SLICE_RETURN_IF_ERROR(ReadAttributes());
  SLICE_ASSIGN_OR_RETURN(snapshot_, GraphSnapshot::Build(imported_.data));
  SLICE_ASSIGN_OR_RETURN(shown_, ParseLinks(options_.shown, "--show", graph()));
  graph_digest_ = GraphDigest(imported_.data);
  // Where a question may see the pair's other links, the tables made without
  // its fold know them as well.
  folds_.emplace(options_.folds, options_.seed,
                 options_.own_pair_links == "reveal" ? LinkFolds::Unit::kLink
                                                     : LinkFolds::Unit::kPair);
  if (options_.leaky) {
    LogWarning(
        "LEAKY: preset %s trains on the valid and test links and shows every "
        "link to itself, as published; its figures say nothing of new links",
        options_.preset);
    SLICE_ASSIGN_OR_RETURN(reduced_, BuildLeakySnapshot(imported_));
  } else {
    SLICE_ASSIGN_OR_RETURN(
        reduced_, GraphSnapshot::Build(ReducedData(imported_.data, *folds_)));
  }
  network_options_ = options_.network;
  network_options_.relation_count = static_cast<int>(graph().relation_count());
  network_options_.embedding_dim = options_.node2vec.dim;  // until loaded
  SLICE_RETURN_IF_ERROR(network_options_.Validate());
  SLICE_RETURN_IF_ERROR(FindMetapaths());
  SLICE_RETURN_IF_ERROR(CreateDirectories(Work("steps")));
  LogInfo("%d nodes, %d links, %d relations; %d valid and %d test links",
          graph().node_count(), graph().link_count(), graph().relation_count(),
          valid().size(), test().size());
  if (imported_.summary.held_out_pairs_linked > 0) {
    LogInfo(
        "%d held-out pairs are linked in train by another relation or "
        "direction",
        imported_.summary.held_out_pairs_linked);
  }
  import_print_ =
      StepFingerprint("import", {graph_digest_, imported_.split_digest},
                      {{"seed", options_.seed},
                       {"folds", options_.folds},
                       {"fold_unit", static_cast<int>(folds_->unit())},
                       {"leaky", options_.leaky},
                       {"leak", static_cast<int>(options_.planted_leak)}});
  return MakeSampler();
}

absl::Status FitRun::FindMetapaths() {
  context_options_ = options_.context;
  if (context_options_.strategy != ContextStrategy::kPatternPaths) {
    return absl::OkStatus();
  }
  const std::vector<std::string>& relations = graph().catalogue().relations;
  for (const std::string& text : options_.metapaths) {
    SLICE_ASSIGN_OR_RETURN(Metapath metapath, ParseMetapath(text, relations));
    context_options_.metapaths.push_back(std::move(metapath));
  }
  if (context_options_.metapaths.empty()) {
    context_options_.metapaths =
        CommonMetapaths(graph(), imported_.data.links, kCommonMetapathSteps,
                        options_.common_metapaths);
  }
  if (context_options_.metapaths.empty()) {
    return absl::FailedPreconditionError(
        "no path of two or three hops joins the ends of any train link: there "
        "is no metapath for --context pattern; use another strategy");
  }
  LogInfo("%d metapaths, such as %s", context_options_.metapaths.size(),
          FormatMetapath(context_options_.metapaths.front(), relations));
  return absl::OkStatus();
}

// Says so wherever the run is read, and puts the test positives into the graph
// when they are the leak.
void FitRun::PlantLeak() {
  LogWarning(
      "LEAKY: a leak is planted (--plant_leak) to show its cost; nothing this "
      "run reports is a result, and no bundle is published");
  report_.notes.push_back(
      "LEAKY: a leak was planted in this run (--plant_leak). Its figures show "
      "what that leak costs and are no results.");
  if (options_.planted_leak != PlantedLeak::kTestLinks) return;
  for (const LabelledLink& example : test()) {
    if (!example.positive) continue;
    imported_.data.links.push_back(example.link);
    if (!imported_.data.weights.empty()) imported_.data.weights.push_back(1);
  }
}

absl::Status FitRun::MakeSampler() {
  for (const auto& split : imported_.held_out) {
    const auto& name =
        &split == &imported_.held_out[0] ? options_.valid : options_.test;
    SLICE_RETURN_IF_ERROR(CheckBothLabels(split, name));
  }
  const NegativeMix mix =
      EstimateNegativeMix(graph(), valid(), options_.typed_negatives);
  SLICE_ASSIGN_OR_RETURN(sampler_, NegativeSampler::Create(graph(), mix));
  std::string shares;
  for (int kind = 0; kind < kNegativeKinds; ++kind) {
    const auto named = static_cast<NegativeKind>(kind);
    if (mix.share(named) == 0) continue;
    absl::StrAppend(&shares, shares.empty() ? "" : ", ",
                    std::string(NegativeKindName(named)),
                    absl::StrFormat(" %.2f", mix.share(named)));
  }
  LogInfo("training negatives, after those of the valid file: %s", shares);
  unlinked_shares_ = EstimateUnlinkedShares(graph(), valid());
  return absl::OkStatus();
}

absl::StatusOr<Json> FitRun::RunNode2vec() {
  const GraphView view(*reduced_);
  Node2vecOptions node2vec = options_.node2vec;
  node2vec.threads = threads_;
  node2vec.seed = options_.seed;
  Node2vecSummary summary;
  SLICE_ASSIGN_OR_RETURN(std::vector<float> embeddings,
                         TrainNode2vec(view, node2vec, &summary));
  SLICE_RETURN_IF_ERROR(SaveEmbeddings(std::move(embeddings), node2vec.dim));
  return Json{{"losses", summary.losses},
              {"walks", summary.walks},
              {"pairs", summary.pairs},
              {"isolated_nodes", summary.isolated_nodes},
              {"seconds", summary.seconds}};
}

absl::StatusOr<Json> FitRun::RunEmbeddingFile() {
  SLICE_ASSIGN_OR_RETURN(FileEmbeddings embeddings,
                         ReadEmbeddingFile(options_.embedding_file, graph()));
  LogInfo("%s: %d numbers per node; %d nodes had no row, %d rows had no node",
          options_.embedding_file.path.string(), embeddings.dim,
          embeddings.missing_nodes, embeddings.unknown_rows);
  LogWarning(
      "embeddings from a file are taken as they are: had they seen held-out "
      "links, every figure would be too good (docs/leakage.md)");
  SLICE_RETURN_IF_ERROR(
      SaveEmbeddings(std::move(embeddings.values), embeddings.dim));
  return Json{{"file", options_.embedding_file.path.string()},
              {"missing_nodes", embeddings.missing_nodes},
              {"unknown_rows", embeddings.unknown_rows}};
}

absl::StatusOr<Json> FitRun::RunNoEmbeddings() {
  SLICE_RETURN_IF_ERROR(
      SaveEmbeddings(std::vector<float>(graph().node_count()), 1));
  return Json::object();
}

absl::StatusOr<Json> FitRun::RunRandomEmbeddings() {
  const int dim = options_.node2vec.dim;
  Random random(CombineHash(options_.seed, HashBytes("random embeddings")));
  std::vector<float> values(graph().node_count() * dim);
  for (float& value : values) {
    value = static_cast<float>(2 * random.Uniform() - 1);
  }
  SLICE_RETURN_IF_ERROR(SaveEmbeddings(std::move(values), dim));
  return Json::object();
}

absl::Status FitRun::SaveEmbeddings(std::vector<float> values, int dim) const {
  NormalizeEmbeddings(values);
  return EmbeddingTable::Save(
      Work("embeddings.bin"), StackAttributes(std::move(values), dim),
      graph().node_count(), dim + static_cast<int>(attributes_.columns.size()));
}

absl::Status FitRun::ExportEmbeddingGraph() const {
  const std::filesystem::path& folder = options_.export_embedding_graph;
  SLICE_RETURN_IF_ERROR(CreateDirectories(folder));
  SLICE_RETURN_IF_ERROR(
      ExportGraphText(ReducedData(imported_.data, *folds_),
                      {folder / "links.tsv", folder / "nodes.tsv"}));
  LogInfo("%s holds the links that embeddings may be made from",
          (folder / "links.tsv").string());
  return absl::OkStatus();
}

absl::StatusOr<std::string> FitRun::EmbeddingFingerprint() const {
  const EmbeddingFileOptions& file = options_.embedding_file;
  switch (options_.embedding_source) {
    case EmbeddingSource::kNode2vec:
      return StepFingerprint("embed", {import_print_},
                             Node2vecJson(options_.node2vec));
    case EmbeddingSource::kNone:
      return StepFingerprint("embed", {import_print_}, {{"source", "none"}});
    case EmbeddingSource::kRandom:
      return StepFingerprint(
          "embed", {import_print_},
          {{"source", "random"}, {"dim", options_.node2vec.dim}});
    case EmbeddingSource::kFile:
      break;
  }
  std::vector<std::string> inputs = {import_print_};
  for (const auto& path : {file.path, EmbeddingKeysFile(file)}) {
    if (path.empty()) continue;
    SLICE_ASSIGN_OR_RETURN(inputs.emplace_back(), Sha256File(path));
  }
  return StepFingerprint("embed", inputs,
                         {{"source", "file"},
                          {"dim", file.dim},
                          {"fill_missing", file.fill_missing}});
}

absl::Status FitRun::LoadEmbeddings() {
  SLICE_ASSIGN_OR_RETURN(const auto table,
                         EmbeddingTable::Open(Work("embeddings.bin")));
  embeddings_.assign(table->data(),
                     table->data() + table->rows() * table->dim());
  network_options_.embedding_dim = table->dim();
  return absl::OkStatus();
}

absl::Status FitRun::Embed() {
  if (!options_.export_embedding_graph.empty()) {
    SLICE_RETURN_IF_ERROR(ExportEmbeddingGraph());
  }
  SLICE_ASSIGN_OR_RETURN(embed_print_, EmbeddingFingerprint());
  if (!attributes_.columns.empty()) {
    embed_print_ = StepFingerprint("attributes",
                                   {embed_print_, AttributeFingerprint()}, {});
  }
  SLICE_ASSIGN_OR_RETURN(const Json summary,
                         log_.Run("embed", embed_print_, [&] {
                           switch (options_.embedding_source) {
                             case EmbeddingSource::kFile:
                               return RunEmbeddingFile();
                             case EmbeddingSource::kNone:
                               return RunNoEmbeddings();
                             case EmbeddingSource::kRandom:
                               return RunRandomEmbeddings();
                             case EmbeddingSource::kNode2vec:
                               break;
                           }
                           return RunNode2vec();
                         }));
  NamedCurve curve{"node2vec (per pair)", {}};
  for (double loss : summary.value("losses", std::vector<double>())) {
    curve.points.push_back({double(curve.points.size() + 1), loss});
  }
  if (!curve.points.empty()) report_.losses.push_back(std::move(curve));
  return LoadEmbeddings();
}

}  // namespace slice
