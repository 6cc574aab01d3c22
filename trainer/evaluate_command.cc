// Measures a bundle on labelled files. The bundle is opened as the server opens
// it, and its graph gives the ids of the nodes and relations that the files
// name. The links are scored, and the report is the same as that of `fit`. The
// model's calibrations and thresholds are those of the bundle; the valid file,
// if given, sets the thresholds of the other methods.
#include "trainer/evaluate_command.h"

#include <algorithm>
#include <memory>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "trainer/bundle_answers.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/evaluation/ranking_evaluation.h"
#include "trainer/evaluation/report_filling.h"
#include "trainer/fit/embedding_attributes.h"
#include "trainer/fit/fit_options.h"
#include "trainer/report/report_files.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

std::vector<float> StructuralEmbeddings(const ModelBundle& bundle) {
  const EmbeddingTable& table = bundle.embeddings();
  return WithoutAttributes(
      {table.data(), table.rows() * table.dim()}, table.dim(),
      static_cast<int>(bundle.manifest().attributes.size()));
}

// Whether the bundle holds a model of `fit`, whose preset is then one of fit's
// presets. Otherwise the preset names a comparison method, such as "gcn".
bool IsSlice(const BundleManifest& manifest) {
  return FitOptions().ApplyPreset(manifest.preset).ok();
}
std::string ModelName(const BundleManifest& manifest) {
  return IsSlice(manifest) ? "slice" : manifest.preset;
}

TrainingReport StartReport(const BundleManifest& manifest,
                           const EvaluateOptions& options) {
  TrainingReport report;
  report.title = ReportTitle(ModelName(manifest), options.test, manifest.leaky);
  report.bundle_id = manifest.bundle_id;
  report.seed = manifest.seed;
  report.leaky = manifest.leaky;
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report.facts = {{"nodes", absl::StrCat(manifest.node_count)},
                  {"relations", absl::StrCat(manifest.relations.size())},
                  {"preset", manifest.preset},
                  {"own pair links", OwnPairLinksName(manifest.own_pair_links)},
                  {"default scorer", manifest.scorer_reason}};
  return report;
}

// REQUIRES: ReadAnswers has read `test`.
std::string ScoresText(const ScoredSplit& test, const GraphSnapshot& graph) {
  std::string text;
  for (uint32_t i = 0; i < test.links.published; ++i) {
    const Link& link = test.links.links[i];
    absl::StrAppend(&text, graph.RelationName(link.relation), "\t",
                    graph.Key(link.source), "\t", graph.Key(link.target), "\t",
                    static_cast<int>(test.links.labels[i]));
    for (const std::vector<float>& answers : test.answers) {
      absl::StrAppendFormat(&text, "\t%.9g", Sigmoid(answers[i]));
    }
    text += '\n';
  }
  return text;
}

// Refuses test rows that nothing can be measured on.
absl::Status CheckLabels(const EvaluateOptions& options,
                         std::span<const LabelledLink> rows) {
  if (!options.ranking_only && !options.explanations_only) {
    return CheckBothLabels(rows, options.test);
  }
  if (std::ranges::any_of(rows, &LabelledLink::positive)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(options.test.string(),
                   " has no link labelled 1; add the links to measure"));
}

// Refuses links of the graph, which training saw. A bundle that leaks on
// purpose says so in its report.
absl::Status CheckNotLearned(const EvaluateOptions& options,
                             std::span<const LabelledLink> rows,
                             const OfflineModel& model) {
  if (model.bundle().manifest().leaky) return absl::OkStatus();
  const GraphSnapshot& graph = model.trained_graph();
  const LabelledLink* first = nullptr;
  size_t count = 0;
  for (const LabelledLink& row : rows) {
    if (!row.positive || !graph.HasLink(row.link)) continue;
    if (count++ == 0) first = &row;
  }
  if (count == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      options.test.string(), ": the link \"",
      graph.RelationName(first->link.relation), " ",
      graph.Key(first->link.source), " ", graph.Key(first->link.target),
      "\" is in the graph that ", options.bundle.string(), " was trained on (",
      count, count == 1 ? " such link" : " such links",
      "); measure links that were held out"));
}

absl::Status Evaluate(const ModelEvaluation& evaluation,
                      const EvaluateOptions& options, TrainingReport& report) {
  std::optional<ScoredSplit> valid;
  if (!evaluation.valid.empty()) {
    SLICE_ASSIGN_OR_RETURN(valid, ScoreValid(evaluation));
  }
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit test,
      EvaluateTest(evaluation, valid.has_value() ? &*valid : nullptr, report));
  if (options.scores.empty()) return absl::OkStatus();
  return WriteFileAtomically(options.scores,
                             ScoresText(test, *evaluation.model.snapshot));
}

// Adds to the report what `options` ask for.
absl::Status Measure(ModelEvaluation& evaluation,
                     const EvaluateOptions& options, TrainingReport& report) {
  if (options.explanations_only) {
    std::vector<Link> test;
    for (const LabelledLink& row : evaluation.test) test.push_back(row.link);
    SLICE_ASSIGN_OR_RETURN(report.fidelity, MeasureFidelity(evaluation, test));
  } else if (!options.ranking_only) {
    SLICE_RETURN_IF_ERROR(Evaluate(evaluation, options, report));
  }
  if (options.ranking > 0) {
    SLICE_ASSIGN_OR_RETURN(
        RankingTable table,
        RankTestLinks(evaluation, {options.ranking, options.rerank}));
    report.rankings.push_back(std::move(table));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status RunEvaluate(const EvaluateOptions& options) {
  SLICE_RETURN_IF_ERROR(CreateFolderOf(options.html));
  SLICE_RETURN_IF_ERROR(CreateFolderOf(options.scores));
  SLICE_ASSIGN_OR_RETURN(const ForwardPath path,
                         ParseForwardPath(options.forward));
  SLICE_ASSIGN_OR_RETURN(const auto model,
                         OfflineModel::Open(options.bundle, path));
  const BundleManifest& manifest = model->bundle().manifest();
  if (options.ranking > 0) {
    SLICE_RETURN_IF_ERROR(model->CheckRankable());
  }
  std::vector<LabelledLink> rows[2];  // valid, test
  if (!options.valid.empty()) {
    SLICE_ASSIGN_OR_RETURN(rows[0],
                           ReadLabelledLinks(options.valid, model->graph()));
  }
  SLICE_ASSIGN_OR_RETURN(rows[1],
                         ReadLabelledLinks(options.test, model->graph()));
  SLICE_RETURN_IF_ERROR(CheckLabels(options, rows[1]));
  SLICE_RETURN_IF_ERROR(CheckNotLearned(options, rows[1], *model));
  ModelEvaluation evaluation;
  evaluation.model = model->scoring();
  SLICE_ASSIGN_OR_RETURN(evaluation.reading,
                         ReadingWith(*model, options.scorer));
  evaluation.valid = rows[0];
  evaluation.test = rows[1];
  std::vector<float> embeddings;
  if (IsSlice(manifest)) embeddings = StructuralEmbeddings(model->bundle());
  evaluation.embeddings = embeddings;
  evaluation.dim = static_cast<int>(embeddings.size() / manifest.node_count);
  evaluation.model_name = NameWithLeak(ModelName(manifest), manifest.leaky);
  // Other scorers than the one that answers may read contexts.
  evaluation.explain = evaluation.reading.scorer == Scorer::kContext ||
                       (manifest.preset == "default" && manifest.layers > 0);
  SLICE_ASSIGN_OR_RETURN(evaluation.shown,
                         ParseLinks(options.shown, "--show", model->graph()));
  evaluation.threads = options.threads > 0 ? options.threads : ProcessorCount();
  TrainingReport report = StartReport(manifest, options);
  SLICE_RETURN_IF_ERROR(Measure(evaluation, options, report));
  return ShowReport(report, options.html, options.json);
}

StatusRun DefineEvaluate(CommandFlags& flags) {
  const auto options = std::make_shared<EvaluateOptions>();
  flags.Add("--bundle", options->bundle, "the bundle to measure")
      .Type("DIR")
      .Required();
  flags.Add("--test", options->test, "labelled links").Type("FILE").Required();
  flags
      .Add("--valid", options->valid,
           "labelled links for the thresholds of the other methods")
      .Type("FILE");
  flags.Add("--html", options->html, "also write the report here").Type("FILE");
  flags.Add("--ranking", options->ranking,
            "how many test links are ranked among all nodes");
  flags.Add("--rerank", options->rerank,
            "best candidates of a ranking that are scored with a context");
  flags.AddSwitch("--ranking-only", options->ranking_only,
                  "report the ranking alone");
  flags.AddSwitch("--explanations-only", options->explanations_only,
                  "report how faithful explanations are, and nothing else");
  flags
      .Add("--scores", options->scores,
           "also write every link with its probabilities here")
      .Type("FILE");
  flags
      .Add("--show", options->shown,
           "\"RELATION SOURCE TARGET\": a link whose attention the report "
           "shows")
      .Type("LINK");
  flags
      .Add("--forward", options->forward,
           "how the network is run: auto, torchscript, native or native-bf16")
      .Type("NAME");
  flags
      .Add("--scorer", options->scorer,
           "the scorer that answers; the bundle's own")
      .OneOf({"context", "ends", "structural"});
  AddThreads(flags, options->threads);
  flags.AddSwitch("--json", options->json, "print the report as JSON");
  return [options](const CommandStreams&) { return RunEvaluate(*options); };
}

}  // namespace slice
