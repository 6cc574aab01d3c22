// Reads the files of a training run, in these steps:
//   1. the edge lists, the node file and the attributes become a GraphData. If
//      the options plant a leak of test links, these are added here;
//   2. a snapshot of all train links, and one of what embeddings may see: the
//      train links without one fold, or, LEAKY, with the held-out links;
//   3. the metapaths that contexts of the strategy `pattern` follow;
//   4. the sampler of negatives, which imitates those of the valid file.
// The valid and test files give node keys to the catalogue and labelled links
// to measure on. Their links enter a graph only where a warning says LEAKY.
#include "trainer/fit/import_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "context/pair_features.h"
#include "context/pattern_paths.h"
#include "graphstore/split/split_negatives.h"
#include "model/model_bundle.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/link_scoring.h"
#include "trainer/fit/embedding_attributes.h"
#include "trainer/fit/leaky_snapshot.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/warm_start.h"
#include "trainer/learning/drawn_negatives.h"
#include "trainer/learning/relation_shares.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

constexpr int kCommonMetapathSteps = 3;

// Numbers relations and node types as the store does, which may have some that
// no link has now. The nodes have the store's numbers already, by their order
// in the node file.
void AlignWithStore(const StoreGraph& store, ImportedGraph* imported) {
  GraphCatalogue& catalogue = imported->data.catalogue;
  const auto place = [](const std::vector<std::string>& all,
                        const std::string& name) {
    return static_cast<size_t>(std::find(all.begin(), all.end(), name) -
                               all.begin());
  };
  std::vector<RelationId> relations;
  for (const std::string& name : catalogue.relations) {
    relations.push_back(static_cast<RelationId>(place(store.relations, name)));
  }
  for (NodeRecord& node : catalogue.nodes) {
    node.type = static_cast<NodeTypeId>(
        place(store.node_types, catalogue.node_types[node.type]));
  }
  for (Link& link : imported->data.links) {
    link.relation = relations[link.relation];
  }
  for (std::vector<LabelledLink>& rows : imported->held_out) {
    for (LabelledLink& row : rows)
      row.link.relation = relations[row.link.relation];
  }
  catalogue.relations = store.relations;
  catalogue.node_types = store.node_types;
  SortLinks(&imported->data);
}

absl::StatusOr<ImportedGraph> ReadFiles(const FitOptions& options) {
  EdgeListImportOptions import = options.files;
  import.train = options.train;
  import.held_out = {options.valid, options.test};
  import.nodes = options.nodes;
  import.strict_pairs = options.strict_pairs;
  SLICE_ASSIGN_OR_RETURN(ImportedGraph imported, ImportEdgeList(import));
  if (options.store_graph) AlignWithStore(*options.store_graph, &imported);
  // The files of a split are written as slice writes files.
  if (!options.splits_links()) {
    for (const std::string& recognised : imported.summary.recognised)
      LogInfo("read %s", recognised);
  }
  return imported;
}

// The bundle of --warm-start, checked; null without one.
absl::StatusOr<std::shared_ptr<const WarmStart>> OpenWarmStart(
    const FitOptions& options, const ImportedGraph& imported) {
  if (options.warm_start.empty()) return std::shared_ptr<const WarmStart>();
  SLICE_ASSIGN_OR_RETURN(auto warm, WarmStart::Open(options.warm_start));
  SLICE_RETURN_IF_ERROR(warm->CheckOptions(options));
  SLICE_RETURN_IF_ERROR(warm->CheckHeldOut(imported));
  LogInfo("warm start from bundle %s", warm->manifest().bundle_id);
  return warm;
}

uint64_t FoldSeed(const FitOptions& options, const WarmStart* warm) {
  return warm == nullptr ? options.seed : warm->manifest().folds.seed;
}

// Warns of the leak and, when the test positives are the leak, puts them into
// the graph.
void PlantLeak(PlantedLeak leak, ImportedGraph& imported) {
  LogWarning(
      "LEAKY: a leak is planted (--plant-leak) to show its cost; nothing this "
      "run reports is a result, and no bundle is published");
  if (leak != PlantedLeak::kTestLinks) return;
  for (const LabelledLink& example : imported.held_out[1]) {
    if (!example.positive) continue;
    imported.data.links.push_back(example.link);
    if (!imported.data.weights.empty()) imported.data.weights.push_back(1);
  }
}

// With OwnPairLinks::kReveal an example may see the other links of its pair. So
// folds are then made link by link, and the tables made without the fold of the
// example know these other links as well. Folds go by key, so that a later
// training that starts warm holds the same links out of its embeddings.
LinkFolds FoldsFor(const FitOptions& options, const WarmStart* warm,
                   const GraphCatalogue& catalogue) {
  return LinkFolds::ByKey(options.folds, FoldSeed(options, warm),
                          FoldUnit(options.own_pair_links), catalogue);
}

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> BuildEmbeddingGraph(
    const FitOptions& options, const ImportedTraining& training) {
  if (!options.leaky) return GraphSnapshot::Build(WithoutHeldFold(training));
  LogWarning(
      "LEAKY: preset %s trains on the valid and test links, and every training "
      "example sees its own link, as in the published protocol; its figures "
      "say nothing about new links",
      options.preset);
  return BuildLeakySnapshot(training.imported);
}

absl::StatusOr<NetworkOptions> NetworkFor(const FitOptions& options,
                                          const GraphSnapshot& graph) {
  NetworkOptions network = options.network;
  network.relation_count = static_cast<int>(graph.relation_count());
  network.embedding_dim = options.node2vec.dim;
  const PairFeatures features(graph.relation_count(), graph.node_type_count(),
                              {.walks = options.walk_dim > 0});
  network.pair_features = options.uses_pair_features()
                              ? static_cast<int>(features.names().size())
                              : 0;
  // Without fine-tuning nothing would train a projection.
  if (options.without_fine_tuning) network.projection = Projection::kNone;
  SLICE_RETURN_IF_ERROR(network.Validate());
  return network;
}

// The context options with the metapaths that the strategy `pattern` follows:
// those of the options or the commonest of the training graph.
absl::StatusOr<ContextOptions> ContextFor(const FitOptions& options,
                                          const ImportedTraining& training) {
  ContextOptions context = options.context;
  if (context.strategy != ContextStrategy::kPatternPaths) return context;
  const GraphSnapshot& graph = training.graph();
  const std::vector<std::string>& relations = graph.relations();
  for (const std::string& text : options.metapaths) {
    SLICE_ASSIGN_OR_RETURN(Metapath metapath, ParseMetapath(text, relations));
    context.metapaths.push_back(std::move(metapath));
  }
  if (context.metapaths.empty()) {
    context.metapaths =
        CommonMetapaths(graph, training.imported.data.links,
                        kCommonMetapathSteps, options.common_metapaths);
  }
  if (context.metapaths.empty()) {
    return absl::FailedPreconditionError(
        "no path of two or three hops joins the ends of any train link: there "
        "is no metapath for --context pattern; use another --context");
  }
  LogInfo("%d metapaths, such as %s", context.metapaths.size(),
          FormatMetapath(context.metapaths.front(), relations));
  return context;
}

// Draws the non-links of a valid file that has none.
absl::Status CompleteValid(const FitOptions& options,
                           ImportedTraining& training) {
  SLICE_ASSIGN_OR_RETURN(training.drawn_valid_negatives,
                         AddDrawnNegatives(training.graph(), options.seed,
                                           training.imported.held_out[0]));
  if (training.drawn_valid_negatives > 0) {
    LogWarning(
        "%s has no rows labelled 0: %d non-links were drawn, one end of a link "
        "replaced by any node; probabilities and thresholds hold for such "
        "pairs",
        options.valid.string(), training.drawn_valid_negatives);
  }
  return absl::OkStatus();
}

void LogCounts(const ImportedTraining& training) {
  const GraphSnapshot& graph = training.graph();
  LogInfo("%d nodes, %d links, %d relations; %d rows of valid and %d of test",
          graph.node_count(), graph.link_count(), graph.relation_count(),
          training.valid().size(), training.test().size());
  if (training.imported.summary.held_out_shared > 0) {
    LogWarning("%d links stand in the valid file and in the test file",
               training.imported.summary.held_out_shared);
  }
  const uint64_t linked = training.imported.summary.held_out_pairs_linked;
  if (linked > 0) {
    LogInfo(
        "%d held-out pairs are linked in train by another relation or "
        "direction",
        linked);
  }
}

// How the negatives of valid were drawn: it is known of a split, and estimated
// for files from elsewhere.
NegativeMix MixFor(const FitOptions& options,
                   const ImportedTraining& training) {
  if (!options.splits_links()) {
    return EstimateNegativeMix(training.graph(), training.valid(),
                               options.typed_negatives);
  }
  NegativeMix mix;
  mix.uniform = kBothEndsShare;
  mix.source_kept = kTargetShare;
  mix.type_matched = kInSlotShare + options.typed_negatives;
  return mix;
}

absl::StatusOr<std::unique_ptr<NegativeSampler>> MakeSampler(
    const FitOptions& options, const ImportedTraining& training) {
  SLICE_RETURN_IF_ERROR(CheckBothLabels(training.valid(), options.valid));
  SLICE_RETURN_IF_ERROR(CheckBothLabels(training.test(), options.test));
  NegativeMix mix = MixFor(options, training);
  mix.self = options.self_negatives;
  mix.off_schema = options.off_schema_negatives;
  SLICE_ASSIGN_OR_RETURN(auto sampler,
                         NegativeSampler::Create(training.graph(), mix));
  std::string shares;
  for (int kind = 0; kind < kNegativeKinds; ++kind) {
    const auto named = static_cast<NegativeKind>(kind);
    if (mix.share(named) == 0) continue;
    absl::StrAppend(&shares, shares.empty() ? "" : ", ",
                    std::string(NegativeKindName(named)),
                    absl::StrFormat(" %.2f", mix.share(named)));
  }
  LogInfo("training negatives are drawn like those of the valid file: %s",
          shares);
  return sampler;
}

StepParts PartsOf(const FitOptions& options, const ImportedTraining& training) {
  nlohmann::json parts = {
      {"the training graph", training.graph_digest},
      {"the held-out links", training.imported.split_digest},
      {"--seed", options.seed},
      {"--folds", options.folds},
      {"the unit of folds, by key", static_cast<int>(training.folds.unit())},
      {"whether the preset leaks", options.leaky},
      {"--plant-leak", static_cast<int>(options.planted_leak)}};
  if (training.warm != nullptr)
    parts["--warm-start"] = training.warm->manifest().bundle_id;
  if (options.splits_links()) parts["the negatives of the split"] = "known";
  return MakeStepFingerprint("import", parts).parts;
}

}  // namespace

absl::StatusOr<ImportedTraining> ImportTraining(const FitOptions& options) {
  SLICE_ASSIGN_OR_RETURN(ImportedGraph imported, ReadFiles(options));
  SLICE_ASSIGN_OR_RETURN(std::shared_ptr<const WarmStart> warm,
                         OpenWarmStart(options, imported));
  ImportedTraining training(
      FoldsFor(options, warm.get(), imported.data.catalogue));
  training.fold_seed = FoldSeed(options, warm.get());
  training.warm = std::move(warm);
  training.imported = std::move(imported);
  if (options.planted_leak != PlantedLeak::kNone) {
    PlantLeak(options.planted_leak, training.imported);
  }
  SLICE_ASSIGN_OR_RETURN(training.attributes,
                         ReadAttributes(options, training.imported));
  SLICE_ASSIGN_OR_RETURN(training.snapshot,
                         GraphSnapshot::Build(training.imported.data));
  SLICE_RETURN_IF_ERROR(CompleteValid(options, training));
  SLICE_ASSIGN_OR_RETURN(training.shown,
                         ParseLinks(options.shown, "--show", training.graph()));
  training.graph_digest = GraphDigest(training.imported.data);
  SLICE_ASSIGN_OR_RETURN(training.embedding_graph,
                         BuildEmbeddingGraph(options, training));
  SLICE_ASSIGN_OR_RETURN(training.network,
                         NetworkFor(options, training.graph()));
  SLICE_ASSIGN_OR_RETURN(training.context, ContextFor(options, training));
  LogCounts(training);
  training.parts = PartsOf(options, training);
  SLICE_ASSIGN_OR_RETURN(training.sampler, MakeSampler(options, training));
  training.unlinked_shares =
      EstimateUnlinkedShares(training.graph(), training.valid());
  return training;
}

GraphData WithoutHeldFold(const ImportedTraining& training) {
  GraphData reduced = training.imported.data;
  EraseFold(training.folds, kHeldFold, &reduced);
  return reduced;
}

}  // namespace slice
