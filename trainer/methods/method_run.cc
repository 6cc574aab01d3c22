// RunMethod() checks the options before it reads any file. Then it takes one of
// three ways: a preset of fit trains a bundle (trainer/methods/preset_run.h);
// without a method, all methods that learn nothing are measured; any other
// method is trained, measured, and published when the options name a bundle. In
// each case the report gets the digest of the data, by which a comparison
// recognises the data of a run, and the files are written.
//
// Thresholds and calibrations come from valid; test links are not known to that
// step. In a leaky run the method learns from a second graph, to which the
// held-out positives are added. Its report says LEAKY, and it leaves no vectors
// and no bundle, since these would not say where they come from.
#include "trainer/methods/method_run.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/peak_memory.h"
#include "common/processor_count.h"
#include "common/sha256.h"
#include "common/status_macros.h"
#include "model/model_bundle.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/report_filling.h"
#include "trainer/fit/leaky_snapshot.h"
#include "trainer/methods/dot_bundle.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/method_registry.h"
#include "trainer/methods/preset_run.h"
#include "trainer/methods/run_files.h"
#include "trainer/report/report_files.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

constexpr char kTrainStep[] = "train";

// The data of a run, read from the files.
struct MethodFiles {
  ImportedGraph imported;
  std::shared_ptr<const GraphSnapshot> snapshot;  // the train links
  // What the method learns from: `snapshot`, unless the run is leaky.
  std::shared_ptr<const GraphSnapshot> learned;

  std::span<const LabelledLink> valid() const { return imported.held_out[0]; }
  std::span<const LabelledLink> test() const { return imported.held_out[1]; }
};

absl::StatusOr<MethodFiles> ReadFiles(const MethodRunOptions& options) {
  EdgeListImportOptions import = options.files;
  import.held_out = {options.valid, options.test};
  MethodFiles data;
  SLICE_ASSIGN_OR_RETURN(data.imported, ImportEdgeList(import));
  SLICE_RETURN_IF_ERROR(CheckBothLabels(data.valid(), options.valid));
  SLICE_RETURN_IF_ERROR(CheckBothLabels(data.test(), options.test));
  SLICE_ASSIGN_OR_RETURN(data.snapshot,
                         GraphSnapshot::Build(data.imported.data));
  data.learned = data.snapshot;
  if (!options.leaky) return data;
  LogWarning(
      "LEAKY: %s learns from the valid and test links, as in the published "
      "protocol; its figures, those of valid during the training among them, "
      "cannot be expected on new links",
      options.method);
  SLICE_ASSIGN_OR_RETURN(data.learned, BuildLeakySnapshot(data.imported));
  return data;
}

TrainingReport StartReport(const MethodRunOptions& options,
                           const MethodFiles& data, const std::string& title) {
  TrainingReport report;
  report.title = ReportTitle(title, options.files.train, options.leaky);
  report.leaky = options.leaky;
  if (options.leaky) {
    report.notes.emplace_back(
        "LEAKY: the method learned from the links of valid and test, as in the "
        "published protocol. For comparison only: these figures cannot be "
        "expected on new links.");
  }
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report.seed = options.seed;
  report.facts = {{"nodes", absl::StrCat(data.snapshot->node_count())},
                  {"train links", absl::StrCat(data.snapshot->link_count())},
                  {"relations", absl::StrCat(data.snapshot->relation_count())}};
  return report;
}

absl::Status ReportUntrained(const MethodFiles& data, int threads,
                             TrainingReport& report) {
  const std::span<const LabelledLink> files[] = {data.valid(), data.test()};
  ScoreSplitOptions split;
  split.threads = threads;
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit valid,
      // Without the test links, which must not reach the thresholds.
      ScoreBaselines(*data.snapshot, data.valid(), KnownLinks({&files[0], 1}),
                     split));
  SLICE_ASSIGN_OR_RETURN(
      ScoredSplit test,
      ScoreBaselines(*data.snapshot, data.test(), KnownLinks(files), split));
  SetThresholds(&valid, test);
  FillResultTables(test, report);
  return absl::OkStatus();
}

absl::Status Publish(const MethodInfo& info, const TrainedMethod& method,
                     const MethodRunOptions& options, const MethodFiles& data,
                     const ScoreCalibration& calibration) {
  DotBundle bundle;
  bundle.imported = &data.imported;
  bundle.snapshot = data.snapshot.get();
  bundle.embeddings = method.embeddings();
  bundle.method = info.name;
  bundle.seed = options.seed;
  bundle.offset = calibration.offset;
  bundle.calibrations = calibration.of_question;
  return PublishDotBundle(bundle, options.bundle);
}

size_t PositivesToRank(const MethodRunOptions& options,
                       const GraphSnapshot& snapshot) {
  return snapshot.relation_count() < options.least_ranked_relations
             ? 0
             : options.rank_positives;
}

absl::Status TrainAndMeasure(const MethodInfo& info,
                             const ParameterValues& parameters,
                             const MethodRunOptions& options,
                             const MethodFiles& data, int threads,
                             TrainingReport& report) {
  MethodInput input;
  input.snapshot = data.learned.get();
  input.valid = data.valid();
  input.negatives = EstimateNegativeMix(*data.snapshot, data.valid(), 0);
  input.seed = options.seed;
  input.threads = threads;
  input.budget = options.budget;
  input.ranks = PositivesToRank(options, *data.snapshot) > 0;
  ResetPeakMemory();
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(const auto method,
                         TrainByMethod(info, input, parameters));
  report.steps.push_back({kTrainStep,
                          absl::ToDoubleSeconds(absl::Now() - start),
                          PeakMemoryMib()});
  const absl::Time trained = absl::Now();
  SLICE_ASSIGN_OR_RETURN(
      const MethodMeasurement measured,
      EvaluateMethod(
          {&info, method.get(), data.snapshot.get(), data.valid(), data.test(),
           PositivesToRank(options, *data.snapshot), threads, options.leaky},
          report));
  report.steps.push_back({"evaluate",
                          absl::ToDoubleSeconds(absl::Now() - trained),
                          PeakMemoryMib()});
  if (!options.bundle.empty()) {
    SLICE_RETURN_IF_ERROR(
        Publish(info, *method, options, data, measured.calibration));
  }
  if (options.out.empty()) return absl::OkStatus();
  SLICE_RETURN_IF_ERROR(RemoveRunFiles(options.out));
  if (options.leaky) return absl::OkStatus();
  return WriteScoresAndVectors(options.out, measured.test, method->embeddings(),
                               *data.snapshot);
}

absl::Status CheckLeakyRequest(const MethodRunOptions& options,
                               const MethodInfo& info) {
  if (!info.preset.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--leaky is not for ", info.name,
                     ", a preset of fit; slice-trainer fit --preset "
                     "paper-leaky trains on the held-out links"));
  }
  if (!info.learns) {
    return absl::InvalidArgumentError(
        absl::StrCat("--leaky is not for ", info.name,
                     ", which learns nothing; leave it out"));
  }
  if (options.bundle.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--leaky gives no bundle, because nobody should serve a method that has "
      "learned the test links; leave out --bundle or --leaky");
}

// Whether a bundle can hold the vectors of nodes.
absl::Status CheckWidth(const ParameterValues& parameters) {
  const int dim = parameters.Whole("dim");
  const bool joins_layers =
      parameters.Has("output") && parameters.Word("output") == "all";
  const int layers = joins_layers ? parameters.Whole("layers") : 1;
  if (dim * layers <= kMostDotDim) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "dim is ", dim,
      layers > 1 ? absl::StrCat(" in each of ", layers, " layers") : "",
      ", but the vectors of a bundle have at most ", kMostDotDim,
      " numbers; lower it with --set dim=..."));
}

// Refuses options that no run can satisfy, before any file is read.
absl::Status CheckRequest(const MethodRunOptions& options,
                          const MethodInfo* info,
                          const ParameterValues& parameters) {
  if (info == nullptr) {
    if (options.settings.empty() && options.bundle.empty() &&
        options.rank_positives == 0 && !options.leaky) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        "--set, --bundle, --rank-positives and --leaky are for one method; "
        "name it with METHOD");
  }
  if (options.leaky) {
    SLICE_RETURN_IF_ERROR(CheckLeakyRequest(options, *info));
  }
  if (options.bundle.empty()) return absl::OkStatus();
  const bool is_dot = ScoresByDotProduct(*info, parameters);
  if (!is_dot && info->preset.empty()) {
    const std::string way_out =
        info->dot_product.empty()
            ? ""
            : absl::StrCat("add --set ", info->dot_product, ", or ");
    return absl::InvalidArgumentError(
        absl::StrCat(info->name,
                     " gives no bundle, because its score is not the dot "
                     "product of two vectors; ",
                     way_out, "leave out --bundle"));
  }
  if (is_dot) SLICE_RETURN_IF_ERROR(CheckWidth(parameters));
  SLICE_RETURN_IF_ERROR(CheckBundleDestination(options.bundle));
  const fs::path parent = options.bundle.parent_path();
  return CreateDirectories(parent.empty() ? "." : parent);
}

}  // namespace

absl::StatusOr<std::string> DataDigest(const MethodRunOptions& options) {
  constexpr size_t kDigits = 16;
  std::string digests;
  for (const fs::path& file : {options.files.train, options.files.nodes,
                               options.valid, options.test}) {
    if (!file.empty()) {
      SLICE_ASSIGN_OR_RETURN(const std::string digest, Sha256File(file));
      digests += digest;
    }
    digests += '\n';
  }
  return Sha256Bytes(digests).substr(0, kDigits);
}

absl::StatusOr<TrainingReport> RunMethod(const MethodRunOptions& options) {
  const int threads = options.threads > 0 ? options.threads : ProcessorCount();
  const MethodInfo* info = nullptr;
  ParameterValues parameters;
  if (!options.method.empty()) {
    SLICE_ASSIGN_OR_RETURN(info, FindMethod(options.method));
    SLICE_ASSIGN_OR_RETURN(
        parameters, ParameterValues::Parse(info->parameters, options.settings));
  }
  SLICE_RETURN_IF_ERROR(CheckRequest(options, info, parameters));
  TrainingReport report;
  if (!options.out.empty()) {
    SLICE_RETURN_IF_ERROR(CreateDirectories(options.out));
  }
  if (info != nullptr && !info->preset.empty()) {
    SLICE_ASSIGN_OR_RETURN(report, RunPreset(*info, options));
  } else {
    SLICE_ASSIGN_OR_RETURN(const MethodFiles data, ReadFiles(options));
    report =
        StartReport(options, data, info == nullptr ? "baselines" : info->title);
    if (info == nullptr) {
      SLICE_RETURN_IF_ERROR(ReportUntrained(data, threads, report));
      if (!options.out.empty()) {
        SLICE_RETURN_IF_ERROR(RemoveRunFiles(options.out));
      }
    } else {
      report.facts.push_back({"method", info->name});
      report.facts.push_back({"parameters", parameters.ToString()});
      SLICE_RETURN_IF_ERROR(
          TrainAndMeasure(*info, parameters, options, data, threads, report));
    }
  }
  SLICE_ASSIGN_OR_RETURN(const std::string digest, DataDigest(options));
  report.facts.push_back({"data", digest});
  report.labels = options.labels;
  if (!options.out.empty()) {
    SLICE_RETURN_IF_ERROR(WriteReportFiles(options.out, report));
  }
  return report;
}

double SecondsOf(const TrainingReport& report) {
  double seconds = 0;
  for (const StepTime& step : report.steps) seconds += step.seconds;
  return seconds;
}

double TrainSecondsOf(const TrainingReport& report) {
  for (const StepTime& step : report.steps) {
    if (step.step == kTrainStep) return step.seconds;
  }
  return kNotMeasured;
}

double PeakMibOf(const TrainingReport& report) {
  double peak = 0;
  for (const StepTime& step : report.steps)
    peak = std::max(peak, step.peak_mib);
  return peak;
}

}  // namespace slice
