// The steps of a run that measure the model and publish the bundle.
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
#include "trainer/fit_run.h"

namespace slice {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

absl::Status CreateDirectories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? FileError("create", path, error.value()) : absl::OkStatus();
}

absl::Status Copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  return error ? FileError("copy to", to, error.value()) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrozenNetwork>> FitRun::LoadFrozen(
    const std::string& network_file, const Calibration& calibration) const {
  FrozenNetworkOptions frozen;
  frozen.embeddings = embeddings_.data();
  frozen.embedding_rows = static_cast<int64_t>(graph().node_count());
  frozen.embedding_dim = embedding_dim();
  frozen.reading.calibrations[0] = calibration;
  frozen.reading.scorer = DefaultScorer();
  frozen.reading.pooling = options_.pooling;
  return FrozenNetwork::Load(Work(network_file), frozen);
}

absl::StatusOr<double> FitRun::AurocOf(const std::string& network_file) const {
  SLICE_ASSIGN_OR_RETURN(const auto network, LoadFrozen(network_file, {}));
  const LinkEncoder encoder = MakeEncoder(options_.contexts_per_link);
  const ScoringModel model{snapshot_.get(), &encoder, network.get()};
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit scored,
      ScoreSplit(model, test(), threads_, "test links, without pre-training"));
  return Auroc(scored.logits, scored.labels);
}

void FitRun::AddFacts() {
  const auto add = [&](const char* name, std::string value) {
    report_.facts.emplace_back(name, std::move(value));
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
  report_.notes.push_back(
      options_.leaky
          ? "LEAKY: embeddings and pre-training saw the valid and test links, "
            "and every training link was shown to itself, as in the published "
            "protocol. For comparison only: these figures cannot be expected "
            "on new links."
          : "Nothing of the valid and test files but node keys reached "
            "training. Every arc between the ends of a link is hidden while it "
            "is scored.");
}

absl::Status FitRun::FillReport(const ScoringModel& model,
                                const ScoredSplit& scored_valid) {
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored,
                         ScoreSplit(model, test(), threads_, "test links"));
  AddFacts();
  ReportTest(scored, calibration_, graph(), report_);
  ResultTable table{"As published", "", {}};
  table.rows.push_back(
      {options_.leaky ? "slice (LEAKY)" : "slice", report_.overall, true});
  if (network_options_.pair_features > 0) {
    table.rows.push_back(
        {"slice, structural part",
         EvaluateBinary(scored.structural_logits, scored.labels,
                        BestF1Threshold(scored_valid.structural_logits,
                                        scored_valid.labels)),
         true});
  }
  int dim = 0;
  const std::vector<float> structural = StructuralEmbeddings(&dim);
  SLICE_ASSIGN_OR_RETURN(
      const auto baselines,
      EvaluateBaselines(graph(), valid(), scored, structural, dim, threads_));
  table.rows.insert(table.rows.end(), baselines.begin(), baselines.end());
  report_.results.push_back(std::move(table));
  if (options_.compare_pretraining) {
    SLICE_ASSIGN_OR_RETURN(const double without,
                           AurocOf("model_without_pretraining.pt"));
    report_.pretraining = PretrainingEffect{report_.overall.auroc, without};
  }
  return absl::OkStatus();
}

absl::StatusOr<Json> FitRun::RunEvaluation() {
  const LinkEncoder encoder = MakeEncoder(options_.contexts_per_link);
  SLICE_ASSIGN_OR_RETURN(const auto network, LoadFrozen("model.pt", {}));
  const ScoringModel model{snapshot_.get(), &encoder, network.get()};
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored,
                         ScoreSplit(model, valid(), threads_, "valid links"));
  calibration_ = Calibrate(scored.logits, scored.labels);
  SLICE_RETURN_IF_ERROR(FillReport(model, scored));
  report_.title = absl::StrCat(options_.leaky ? "LEAKY: " : "", "slice on ",
                               options_.train.string());
  report_.seed = options_.seed;
  report_.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  for (const auto& [step, seconds] : log_.times()) {
    report_.steps.push_back({step, seconds});
  }
  SLICE_RETURN_IF_ERROR(CreateDirectories(Work("report")));
  const Json json = ReportToJson(report_);
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(Work("report/report.json"), json.dump(2) + "\n"));
  SLICE_RETURN_IF_ERROR(WriteFileAtomically(Work("report/report.html"),
                                            RenderReportHtml(report_)));
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(Work("report/report.txt"), ReportText(report_)));
  return Json{{"temperature", calibration_.temperature},
              {"threshold", calibration_.threshold},
              {"valid_auroc", Auroc(scored.logits, scored.labels)},
              {"test_auroc", report_.overall.auroc},
              {"test_average_precision", report_.overall.average_precision},
              {"test_f1", report_.overall.f1},
              {"test_accuracy", report_.overall.accuracy}};
}

absl::Status FitRun::Evaluate() {
  evaluate_print_ = StepFingerprint("evaluate", {fine_tune_print_}, {});
  SLICE_ASSIGN_OR_RETURN(
      const Json summary,
      log_.Run("evaluate", evaluate_print_, [&] { return RunEvaluation(); }));
  calibration_ = {summary.value("temperature", 1.0),
                  summary.value("threshold", 0.5)};
  report_.overall.auroc = summary.value("test_auroc", 0.0);
  report_.overall.average_precision =
      summary.value("test_average_precision", 0.0);
  report_.overall.f1 = summary.value("test_f1", 0.0);
  report_.overall.accuracy = summary.value("test_accuracy", 0.0);
  return absl::OkStatus();
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
  manifest.reading.calibrations[0] = calibration_;
  manifest.reading.scorer = DefaultScorer();
  manifest.reading.pooling = options_.pooling;
  manifest.metrics = {
      {"test.auroc", report_.overall.auroc},
      {"test.average_precision", report_.overall.average_precision},
      {"test.f1", report_.overall.f1},
      {"test.accuracy", report_.overall.accuracy}};
  return manifest;
}

absl::StatusOr<Json> FitRun::RunPublish() {
  const fs::path staging = options_.out.string() + ".staging";
  std::error_code error;
  fs::remove_all(staging, error);
  SLICE_RETURN_IF_ERROR(CreateDirectories(staging / "tensors"));
  SLICE_RETURN_IF_ERROR(CreateDirectories(staging / "report"));
  SLICE_RETURN_IF_ERROR(StageGraph(staging));
  const std::pair<const char*, const char*> members[] = {
      {"model.pt", "model.pt"},
      {"embeddings.bin", "embeddings.bin"},
      {"statistics.bin", "tensors/statistics.bin"},
      {"report/report.json", "report/report.json"},
      {"report/report.html", "report/report.html"},
      {"report/report.txt", "report/report.txt"}};
  for (const auto& [from, to] : members) {
    SLICE_RETURN_IF_ERROR(Copy(Work(from), staging / to));
  }
  SLICE_RETURN_IF_ERROR(PublishBundle(staging, options_.out, MakeManifest()));
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
