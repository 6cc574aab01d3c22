// The steps of a run that measure the model and publish the bundle.
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/progress.h"
#include "common/status_macros.h"
#include "graphstore/rocksdb_graph_store.h"
#include "model/model_bundle.h"
#include "trainer/evaluation/rule_weights.h"
#include "trainer/fit/fit_run.h"
#include "trainer/report/report_files.h"

namespace slice {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// Changes when what a report holds does, so that old ones are made anew.
constexpr int kEvaluationVersion = 9;

absl::Status Copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  return error ? FileError("copy to", to, error.value()) : absl::OkStatus();
}

// What the manifest and GetModelInfo tell of the evaluation.
Json SummaryMetrics(const Json& report) {
  Json metrics;
  for (const char* name : {"auroc", "average_precision", "f1", "accuracy"}) {
    metrics[absl::StrCat("test.", name)] = report["overall"][name];
  }
  for (const char* set : {"typed", "degree_matched", "typed_non_links"}) {
    metrics[absl::StrCat("test.", set, ".auroc")] = report[set]["auroc"];
  }
  return metrics;
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrozenNetwork>> FitRun::LoadFrozen(
    const std::string& network_file) const {
  FrozenNetworkOptions frozen;
  frozen.embeddings = embeddings_.data();
  frozen.embedding_rows = static_cast<int64_t>(graph().node_count());
  frozen.embedding_dim = embedding_dim();
  frozen.reading = reading_;
  frozen.reading.scorer = DefaultScorer();
  frozen.reading.pooling = options_.pooling;
  return FrozenNetwork::Load(Work(network_file), frozen);
}

absl::StatusOr<double> FitRun::AurocOf(const std::string& network_file) const {
  SLICE_ASSIGN_OR_RETURN(const auto network, LoadFrozen(network_file));
  const LinkEncoder encoder = MakeEncoder(options_.contexts_per_link);
  ModelEvaluation evaluation =
      MakeEvaluation({&graph(), &encoder, network.get()});
  ScoreSplitOptions options =
      evaluation.SplitOptions("test links, without pre-training");
  options.sets = {NegativeSet::kPublished};
  options.baselines = false;
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit scored,
      ScoreSplit(evaluation.model, test(), evaluation.Known(), options));
  return Auroc(scored.model().of(Question::kPlausible), scored.links.labels);
}

ModelEvaluation FitRun::MakeEvaluation(const ScoringModel& model) const {
  ModelEvaluation evaluation;
  evaluation.model = model;
  evaluation.reading = reading_;
  evaluation.reading.scorer = DefaultScorer();
  evaluation.valid = valid();
  evaluation.test = test();
  evaluation.explain = !options_.structural_only();
  if (options_.leaky) evaluation.model_name = "slice (LEAKY)";
  evaluation.threads = threads_;
  return evaluation;
}

void FitRun::AddFacts() {
  const auto add = [&](const char* name, std::string value) {
    report_.facts.push_back({name, std::move(value)});
  };
  add("nodes", absl::StrCat(graph().node_count()));
  add("train links", absl::StrCat(graph().link_count()));
  add("relations", absl::StrCat(graph().relation_count()));
  add("valid links", absl::StrCat(valid().size()));
  add("test links", absl::StrCat(test().size()));
  add("held-out pairs linked in train otherwise",
      absl::StrCat(imported_.summary.held_out_pairs_linked));
  add("preset", options_.preset);
  add("own pair links", options_.recorded_own_pair_links());
  if (options_.leaky) {
    report_.notes.push_back(
        "LEAKY: embeddings and pre-training saw the valid and test links, and "
        "every training link was shown to itself, as in the published "
        "protocol. For comparison only: these figures cannot be expected on "
        "new links.");
    return;
  }
  report_.notes.push_back(absl::StrCat(
      "Nothing of the valid and test files but node keys reached training. ",
      options_.own_pair_links == "reveal"
          ? "While a link is scored it is hidden, other links between its ends "
            "are not."
          : "Every arc between the ends of a link is hidden while it is "
            "scored."));
}

absl::StatusOr<Json> FitRun::RunEvaluation() {
  const LinkEncoder encoder = MakeEncoder(options_.contexts_per_link);
  SLICE_ASSIGN_OR_RETURN(const auto network, LoadFrozen("model.pt"));
  ModelEvaluation evaluation =
      MakeEvaluation({&graph(), &encoder, network.get()});
  const std::vector<float> structural = StructuralEmbeddings(&evaluation.dim);
  evaluation.embeddings = structural;
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored, ScoreValid(evaluation));
  reading_.calibrations = CalibrateQuestions(scored);
  if (network_options_.pair_features > 0) {
    SLICE_ASSIGN_OR_RETURN(reading_.rule_weights,
                           ChooseRuleWeights(evaluation));
  }
  evaluation.reading.calibrations = reading_.calibrations;
  evaluation.reading.rule_weights = reading_.rule_weights;
  evaluation.shown = shown_;
  AddFacts();
  SLICE_RETURN_IF_ERROR(EvaluateTest(evaluation, &scored, report_).status());
  if (options_.compare_pretraining) {
    SLICE_ASSIGN_OR_RETURN(const double without,
                           AurocOf("model_without_pretraining.pt"));
    report_.pretraining = {report_.Overall().auroc, without};
  }
  report_.title = absl::StrCat(options_.leaky ? "LEAKY: " : "", "slice on ",
                               DataName(options_.train));
  report_.seed = options_.seed;
  report_.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report_.steps = log_.times();
  SLICE_RETURN_IF_ERROR(WriteReportFiles(Work("report"), report_));
  Json summary = {{"metrics", SummaryMetrics(ReportToJson(report_))},
                  {"rule_weights", Json::array()},
                  {"calibrations", Json::array()}};
  for (const RuleWeights& weights : reading_.rule_weights) {
    summary["rule_weights"].push_back({weights.rules, weights.constants});
  }
  for (const Calibration& calibration : reading_.calibrations) {
    summary["calibrations"].push_back(
        {calibration.temperature, calibration.threshold});
  }
  return summary;
}

absl::Status FitRun::Evaluate() {
  evaluate_print_ = StepFingerprint(
      "evaluate", {fine_tune_print_},
      {{"version", kEvaluationVersion}, {"shown", options_.shown}});
  SLICE_ASSIGN_OR_RETURN(
      const Json summary,
      log_.Run("evaluate", evaluate_print_, [&] { return RunEvaluation(); }));
  for (size_t i = 0; i < reading_.rule_weights.size(); ++i) {
    const Json& weights = summary["rule_weights"][i];
    reading_.rule_weights[i] = {weights[0].get<double>(),
                                weights[1].get<double>()};
  }
  for (size_t q = 0; q < kQuestions; ++q) {
    const Json& calibration = summary["calibrations"][q];
    reading_.calibrations[q] = {calibration[0].get<double>(),
                                calibration[1].get<double>()};
  }
  for (const auto& [name, value] : summary["metrics"].items()) {
    // A set may have no negatives, and then no figures.
    if (value.is_number() && std::isfinite(value.get<double>())) {
      metrics_[name] = value.get<double>();
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<FitMeasurement> FitRun::MeasureValid() {
  const auto measure = [&]() -> absl::StatusOr<Json> {
    const LinkEncoder encoder = MakeEncoder(options_.contexts_per_link);
    SLICE_ASSIGN_OR_RETURN(const auto network, LoadFrozen("model.pt"));
    ModelEvaluation evaluation =
        MakeEvaluation({&graph(), &encoder, network.get()});
    evaluation.baselines = false;
    SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored, ScoreValid(evaluation));
    Json figures = Json::array();
    for (const NegativeSet set :
         {NegativeSet::kPublished, NegativeSet::kTyped}) {
      const std::vector<float> scores = scored.ScoresOf(scored.model(), set);
      const std::vector<uint8_t> labels = scored.LabelsOf(set);
      const BinaryMetrics metrics =
          EvaluateBinary(scores, labels, BestF1Threshold(scores, labels));
      figures.push_back({metrics.auroc, metrics.f1});
    }
    return figures;
  };
  SLICE_ASSIGN_OR_RETURN(
      const Json figures,
      log_.Run("valid",
               StepFingerprint("valid", {fine_tune_print_},
                               {{"version", kEvaluationVersion}}),
               measure));
  FitMeasurement measurement;
  for (size_t q = 0; q < kQuestions; ++q) {
    measurement.valid[q].auroc = figures[q][0].get<double>();
    measurement.valid[q].f1 = figures[q][1].get<double>();
  }
  measurement.steps = log_.times();
  return measurement;
}

absl::Status FitRun::StageGraph(const fs::path& staging) const {
  const fs::path directory = Work("graph");
  std::error_code error;
  fs::remove_all(directory, error);
  RocksDbGraphStoreOptions store_options;
  store_options.directory = directory;
  SLICE_ASSIGN_OR_RETURN(const auto store,
                         RocksDbGraphStore::Open(store_options));
  SLICE_RETURN_IF_ERROR(
      store->BulkLoad(imported_.data, imported_.split_digest));
  SLICE_RETURN_IF_ERROR(store->ExportSsts(staging / "graph"));
  return absl::OkStatus();
}

BundleManifest FitRun::MakeManifest() const {
  BundleManifest manifest;
  manifest.preset = options_.preset;
  manifest.seed = options_.seed;
  manifest.node_count = graph().node_count();
  manifest.embedding_dim = embedding_dim();
  manifest.attributes = attributes_.columns;
  manifest.layers = network_options_.layers;
  manifest.heads = network_options_.heads;
  manifest.hidden_dim = network_options_.hidden_dim;
  manifest.relations = graph().catalogue().relations;
  manifest.node_types = graph().catalogue().node_types;
  for (const std::string& name : TokenFeatureNames()) {
    manifest.token_features.emplace_back(name);
  }
  if (network_options_.pair_features > 0) {
    manifest.pair_features =
        PairFeatures(graph().relation_count(), graph().node_type_count())
            .names();
  }
  manifest.outputs = OutputNames();
  manifest.graph_digest = graph_digest_;
  manifest.split_digest = imported_.split_digest;
  manifest.own_pair_links = options_.recorded_own_pair_links();
  manifest.leaky = options_.leaky;
  manifest.context = context_options_;
  manifest.contexts_per_link = options_.contexts_per_link;
  manifest.reading = reading_;
  manifest.reading.scorer = DefaultScorer();
  manifest.reading.pooling = options_.pooling;
  manifest.metrics = metrics_;
  return manifest;
}

// The report of the evaluation, with the id of the bundle it comes in and all
// steps so far. The one in the work directory stays as the evaluation left it.
absl::Status FitRun::StageReport(const fs::path& staging,
                                 const std::string& bundle_id) const {
  SLICE_ASSIGN_OR_RETURN(const std::string measured,
                         ReadFile(Work("report/report.json")));
  SLICE_ASSIGN_OR_RETURN(TrainingReport report, ReportFromJson(measured));
  report.bundle_id = bundle_id;
  report.steps = log_.times();
  return WriteReportFiles(staging / "report", report);
}

absl::StatusOr<Json> FitRun::RunPublish() {
  const fs::path staging = options_.out.string() + ".staging";
  std::error_code error;
  fs::remove_all(staging, error);
  SLICE_RETURN_IF_ERROR(CreateDirectories(staging / "tensors"));
  SLICE_RETURN_IF_ERROR(StageGraph(staging));
  const std::pair<const char*, const char*> members[] = {
      {"model.pt", "model.pt"},
      {"embeddings.bin", "embeddings.bin"},
      {"statistics.bin", "tensors/statistics.bin"}};
  for (const auto& [from, to] : members) {
    SLICE_RETURN_IF_ERROR(Copy(Work(from), staging / to));
  }
  SLICE_ASSIGN_OR_RETURN(const BundleManifest manifest,
                         DescribeBundle(staging, MakeManifest()));
  SLICE_RETURN_IF_ERROR(StageReport(staging, manifest.bundle_id));
  SLICE_RETURN_IF_ERROR(PublishBundle(staging, options_.out, manifest));
  fs::remove_all(Work("graph"), error);
  return Json{{"bundle", options_.out.string()}};
}

absl::Status FitRun::Publish() {
  const std::string print = StepFingerprint("bundle", {evaluate_print_}, {});
  if (!fs::exists(options_.out / "MANIFEST.json")) {
    // A bundle that was moved away is published anew.
    std::error_code error;
    fs::remove(Work("steps/bundle.json"), error);
  }
  SLICE_ASSIGN_OR_RETURN(const Json summary, log_.Run("bundle", print, [&] {
    return RunPublish();
  }));
  LogInfo("bundle: %s", options_.out.string());
  return absl::OkStatus();
}

}  // namespace slice
