// The steps of a run that train networks. With network_training.cc and
// pretraining.cc the only files of trainer/ that include LibTorch.

#include <ATen/ops/from_blob.h>

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/logging.h"
#include "common/parallel.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "trainer/fit/fit_run.h"
#include "trainer/learning/network_training.h"
#include "trainer/learning/pretraining.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr int kHeldFold = 0;
// Of an epoch of fine-tuning; the rest learns without embeddings.
constexpr double kEmbeddedShare = 0.5;
constexpr int kStructuralDraws = 3;
constexpr size_t kScalingPositives = 20000;

at::Tensor WrapEmbeddings(const std::vector<float>& values, int dim) {
  return at::from_blob(const_cast<float*>(values.data()),
                       {static_cast<int64_t>(values.size()) / dim, dim},
                       at::kFloat);
}

Json NetworkJson(const NetworkOptions& options) {
  return {{"hidden_dim", options.hidden_dim},
          {"layers", options.layers},
          {"heads", options.heads},
          {"head_dim", options.head_dim},
          {"feed_forward_dim", options.feed_forward_dim},
          {"pre_norm", options.pre_norm},
          {"head", static_cast<int>(options.head)},
          {"readout", static_cast<int>(options.readout)},
          {"projection", static_cast<int>(options.projection)},
          {"composition", static_cast<int>(options.composition)},
          {"gcn_layers", options.gcn_layers},
          {"structural_dim", options.structural_dim},
          {"relation_dim", options.relation_dim},
          {"dropout", options.dropout}};
}

Json ContextJson(const ContextOptions& options) {
  Json metapaths = Json::array();
  for (const Metapath& metapath : options.metapaths) {
    metapaths.push_back({{"asked", metapath.asked}, {"steps", metapath.steps}});
  }
  return {{"strategy", std::string(ContextStrategyName(options.strategy))},
          {"max_nodes", options.max_nodes},
          {"max_hops", options.max_hops},
          {"max_degree", options.max_degree},
          {"max_expanded_arcs", options.max_expanded_arcs},
          {"beam_width", options.beam_width},
          {"metapaths", metapaths}};
}

NamedCurve LossCurve(std::string name, const Json& summary) {
  NamedCurve curve{std::move(name), {}};
  for (double loss : SummaryFromJson(summary).losses) {
    curve.points.push_back({double(curve.points.size() + 1), loss});
  }
  return curve;
}

}  // namespace

TrainingExamples FitRun::MakeExamples(std::vector<Link> positives,
                                      uint64_t salt,
                                      double embedded_share) const {
  TrainingExampleOptions options;
  options.negatives_per_positive = options_.negatives_per_positive;
  options.among_kind_negatives = options_.among_kind_negatives;
  options.unlinked_shares = unlinked_shares_;
  options.relation_shares = EstimateRelationShares(graph(), valid());
  // Leaky embeddings know every link.
  options.folds = options_.leaky ? nullptr : &*folds_;
  options.by_fold =
      std::span(fold_tables_)
          .first(std::min<size_t>(options_.folds, fold_tables_.size()));
  options.by_source = std::span(fold_tables_).subspan(options.by_fold.size());
  options.embedded_fold = kHeldFold;
  options.leak = options_.planted_leak;
  options.seed = CombineHash(options_.seed, salt);
  options.embedded_share = embedded_share;
  return TrainingExamples(snapshot_.get(), sampler_.get(), std::move(positives),
                          std::move(options));
}

LinkEncoder FitRun::MakeEncoder(int contexts_per_link) const {
  LinkEncoderOptions options;
  options.context = context_options_;
  options.embeddings = {embeddings_, static_cast<size_t>(embedding_dim())};
  options.contexts_per_link = contexts_per_link;
  options.hide_pair = options_.recorded_own_pair_links() == "hide";
  options.hide_link = options_.recorded_own_pair_links() != "show";
  options.use_pair_features = options_.uses_pair_features();
  options.seed = options_.seed;
  return LinkEncoder(options, graph().relation_count(),
                     graph().node_type_count(), tables_);
}

ExampleChunk FitRun::EncodeValid(const LinkEncoder& encoder,
                                 const TrainingExamples& examples) const {
  return examples.EncodeExamples(
      encoder, ValidExamples(valid(), *sampler_, options_.seed), threads_);
}

absl::Status FitRun::FitScaling(const TrainingExamples& examples) {
  const LinkEncoder raw = MakeEncoder(/*contexts_per_link=*/0);
  const ExampleChunk chunk = examples.Encode(
      raw, examples.EpochPositives(/*epoch=*/0, kScalingPositives), 0,
      threads_);
  const size_t width = raw.pair_features().names().size();
  std::vector<float> rows;
  rows.reserve(chunk.links.size() * width);
  for (const EncodedLink& link : chunk.links) {
    rows.insert(rows.end(), link.pair_features.begin(),
                link.pair_features.end());
  }
  FeatureScaling::Fit(rows, width).AddTo(statistics_);
  SLICE_RETURN_IF_ERROR(statistics_.Save(Work("statistics.bin")));
  return MakeTables();
}

absl::StatusOr<Json> FitRun::RunStructural() {
  if (network_options_.pair_features == 0) {
    SLICE_RETURN_IF_ERROR(statistics_.Save(Work("statistics.bin")));
    SLICE_ASSIGN_OR_RETURN(const torch::jit::Module network,
                           BuildNetwork(network_options_, options_.seed));
    SLICE_RETURN_IF_ERROR(SaveNetwork(network, Work("structural.pt")));
    LogInfo("preset %s has no structural scorer", options_.preset);
    return Json::object();
  }
  const TrainingExamples examples = MakeExamples(AllLinks(graph()), 1);
  SLICE_RETURN_IF_ERROR(FitScaling(examples));
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         BuildNetwork(network_options_, options_.seed));
  const LinkEncoder encoder = MakeEncoder(/*contexts_per_link=*/0);
  const ExampleChunk valid_chunk = EncodeValid(encoder, examples);
  const TrainingData data{&examples, &encoder, &valid_chunk,
                          WrapEmbeddings(embeddings_, embedding_dim())};
  NetworkTrainingOptions training;
  training.epochs = options_.structural_epochs;
  training.distinct_epochs = kStructuralDraws;
  training.patience = options_.structural_epochs;  // the rate falls to the end
  training.replicas = threads_;
  training.batch_size = options_.batch_size;
  training.learning_rate = options_.structural_learning_rate;
  training.positives_per_epoch = options_.structural_positives;
  training.threads = threads_;
  training.seed = options_.seed;
  SLICE_ASSIGN_OR_RETURN(
      const auto summaries,
      TrainNetworks({&network, 1}, TrainingScope::kStructural, data, training,
                    "structural scorer"));
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, Work("structural.pt")));
  return SummaryToJson(summaries[0]);
}

absl::Status FitRun::TrainStructural() {
  structural_print_ = StepFingerprint(
      "structural", {statistics_print_},
      {{"network", NetworkJson(network_options_)},
       {"embedding_dim", network_options_.embedding_dim},
       {"features",
        PairFeatures(graph().relation_count(), graph().node_type_count())
            .names()},
       {"among_kind", options_.among_kind_negatives},
       {"own_pair_links", options_.own_pair_links},
       {"negatives", options_.negatives_per_positive},
       {"typed", options_.typed_negatives},
       {"epochs", options_.structural_epochs},
       {"rate", options_.structural_learning_rate},
       {"positives", options_.structural_positives},
       {"batch", options_.batch_size}});
  SLICE_ASSIGN_OR_RETURN(const Json summary,
                         log_.Run("structural", structural_print_,
                                  [&] { return RunStructural(); }));
  if (network_options_.pair_features > 0) {
    report_.losses.push_back(LossCurve("structural scorer", summary));
  }
  return LoadTables("statistics.bin");
}

absl::StatusOr<Json> FitRun::RunPretraining() {
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         LoadNetwork(Work("structural.pt")));
  if (options_.structural_only() ||
      options_.embedding_source == EmbeddingSource::kNone ||
      options_.pretrain_epochs == 0) {
    LogInfo("no pre-training%s",
            options_.pretrain_epochs == 0
                ? ", as asked"
                : ": without embeddings no masked node can be told");
    SLICE_RETURN_IF_ERROR(SaveNetwork(network, Work("pretrained.pt")));
    return SummaryToJson({});
  }
  PretrainingOptions pretraining;
  pretraining.epochs = options_.pretrain_epochs;
  pretraining.contexts_per_node = options_.pretrain_contexts_per_node;
  SLICE_ASSIGN_OR_RETURN(pretraining.walk,
                         ParseNodeWalk(options_.pretrain_walk));
  pretraining.batch_size = options_.batch_size / 2 + 1;
  pretraining.learning_rate = options_.pretrain_learning_rate;
  pretraining.threads = threads_;
  pretraining.seed = options_.seed;
  ContextOptions walks = context_options_;
  walks.max_nodes = std::min(walks.max_nodes, 6);
  SLICE_ASSIGN_OR_RETURN(
      const TrainingSummary summary,
      PretrainNetwork(network, GraphView(*reduced_), ContextGenerator(walks),
                      WrapEmbeddings(embeddings_, embedding_dim()),
                      pretraining));
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, Work("pretrained.pt")));
  return SummaryToJson(summary);
}

absl::Status FitRun::Pretrain() {
  pretrain_print_ =
      StepFingerprint("pretrain", {embed_print_, structural_print_},
                      {{"epochs", options_.pretrain_epochs},
                       {"rate", options_.pretrain_learning_rate},
                       {"walk", options_.pretrain_walk},
                       {"contexts", options_.pretrain_contexts_per_node},
                       {"context", ContextJson(context_options_)}});
  SLICE_ASSIGN_OR_RETURN(
      const Json summary,
      log_.Run("pretrain", pretrain_print_, [&] { return RunPretraining(); }));
  NamedCurve curve = LossCurve("pre-training", summary);
  if (!curve.points.empty()) report_.losses.push_back(std::move(curve));
  return absl::OkStatus();
}

absl::StatusOr<Json> FitRun::RunFineTuning() {
  std::vector<torch::jit::Module> arms;
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module pretrained,
                         LoadNetwork(Work("pretrained.pt")));
  if (options_.structural_only() || options_.without_fine_tuning) {
    SLICE_RETURN_IF_ERROR(SaveNetwork(pretrained, Work("model.pt")));
    return Json{{"with", Json::object()}};
  }
  arms.push_back(std::move(pretrained));
  if (options_.compare_pretraining) {
    SLICE_ASSIGN_OR_RETURN(torch::jit::Module scratch,
                           LoadNetwork(Work("structural.pt")));
    arms.push_back(std::move(scratch));
  }
  // The dot product has no structural part to fall back on where embeddings
  // are withheld: it learns from links that have them.
  const bool embedded_alone = !options_.uses_pair_features() && !options_.leaky;
  const TrainingExamples examples =
      MakeExamples(embedded_alone ? LinksOfFold(graph(), *folds_, kHeldFold)
                                  : AllLinks(graph()),
                   2, kEmbeddedShare);
  const LinkEncoder encoder = MakeEncoder(options_.contexts_per_link);
  const ExampleChunk valid_chunk = EncodeValid(encoder, examples);
  const TrainingData data{&examples, &encoder, &valid_chunk,
                          WrapEmbeddings(embeddings_, embedding_dim())};
  NetworkTrainingOptions training;
  training.epochs = options_.fine_tune_epochs;
  training.pooling = options_.pooling;
  training.replicas = options_.compare_pretraining ? 1 : threads_;
  training.batch_size = options_.batch_size;
  training.learning_rate = options_.fine_tune_learning_rate;
  training.positives_per_epoch = options_.fine_tune_positives;
  training.threads = threads_;
  training.seed = options_.seed;
  SLICE_ASSIGN_OR_RETURN(const auto summaries,
                         TrainNetworks(arms, TrainingScope::kWhole, data,
                                       training, "fine-tuning"));
  SLICE_RETURN_IF_ERROR(SaveNetwork(arms[0], Work("model.pt")));
  Json result = {{"with", SummaryToJson(summaries[0])}};
  if (options_.compare_pretraining) {
    SLICE_RETURN_IF_ERROR(
        SaveNetwork(arms[1], Work("model_without_pretraining.pt")));
    result["without"] = SummaryToJson(summaries[1]);
  }
  return result;
}

absl::Status FitRun::FineTune() {
  fine_tune_print_ = StepFingerprint(
      "fine-tune", {pretrain_print_},
      {{"epochs", options_.fine_tune_epochs},
       {"rate", options_.fine_tune_learning_rate},
       {"positives", options_.fine_tune_positives},
       {"contexts", options_.contexts_per_link},
       {"pooling", std::string(ContextPoolingName(options_.pooling))},
       {"without", options_.without_fine_tuning},
       {"compare", options_.compare_pretraining}});
  SLICE_ASSIGN_OR_RETURN(
      const Json summary,
      log_.Run("fine-tune", fine_tune_print_, [&] { return RunFineTuning(); }));
  report_.losses.push_back(LossCurve("fine-tuning", summary["with"]));
  if (summary.contains("without")) {
    report_.losses.push_back(
        LossCurve("fine-tuning without pre-training", summary["without"]));
  }
  return absl::OkStatus();
}

}  // namespace slice
