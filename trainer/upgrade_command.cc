#include "trainer/upgrade_command.h"

#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "model/golden_links_staging.h"
#include "model/model_bundle.h"
#include "model/native_network.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/model_calibration.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/report/report.h"
#include "trainer/report/report_files.h"
#include "trainer/report/report_json.h"
#include "trainer/scorer_flag.h"
#include "trainer/threads_flag.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// Writes the id of the new bundle into the copy of the report.
absl::Status RenameReport(const fs::path& staging, const std::string& id) {
  const fs::path directory = staging / "report";
  std::error_code error;
  if (!fs::exists(directory / "report.json", error)) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(directory / "report.json"));
  SLICE_ASSIGN_OR_RETURN(TrainingReport report, ReportFromJson(text));
  report.bundle_id = id;
  return WriteReportFiles(directory, report);
}

absl::Status CopyBundle(const fs::path& from, const fs::path& staging) {
  std::error_code error;
  fs::remove_all(staging, error);
  fs::copy(from, staging, fs::copy_options::recursive, error);
  if (error) return FileError("copy to", staging, error.value());
  // A signature of the old manifest is no signature of the new one.
  for (const char* file : {"MANIFEST.json", "MANIFEST.sig"}) {
    fs::remove(staging / file, error);
  }
  return CreateDirectories(staging / "tensors");
}

// Sets the reading of `manifest` anew, as the valid links say.
absl::Status CalibrateAnew(const OfflineModel& model,
                           const UpgradeOptions& options,
                           BundleManifest& manifest) {
  SLICE_ASSIGN_OR_RETURN(const std::vector<LabelledLink> rows,
                         ReadLabelledLinks(options.valid, model.graph()));
  SLICE_RETURN_IF_ERROR(CheckBothLabels(rows, options.valid));
  ModelEvaluation evaluation;
  evaluation.model = model.scoring();
  evaluation.reading = manifest.reading;
  evaluation.valid = rows;
  evaluation.baselines = false;
  evaluation.threads = options.threads > 0 ? options.threads : ProcessorCount();
  SLICE_ASSIGN_OR_RETURN(ScoredSplit valid, ScoreValid(evaluation));
  SLICE_ASSIGN_OR_RETURN(CalibratedReading calibrated,
                         CalibrateModel(evaluation, options.scorer, valid));
  manifest.reading = std::move(calibrated.reading);
  manifest.scorer_reason = std::move(calibrated.scorer_reason);
  return absl::OkStatus();
}

absl::Status CheckOptions(const UpgradeOptions& options) {
  if (options.scorer.has_value() && options.valid.empty()) {
    return absl::InvalidArgumentError(
        "--scorer needs --valid FILE, on which its answers are calibrated");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> UpgradeBundle(const UpgradeOptions& options) {
  const fs::path& out = options.out.empty() ? options.bundle : options.out;
  const fs::path staging = out.string() + ".staging";
  SLICE_RETURN_IF_ERROR(CheckOptions(options));
  SLICE_RETURN_IF_ERROR(CheckBundleDestination(out));
  SLICE_ASSIGN_OR_RETURN(
      const auto model,
      OfflineModel::Open(options.bundle, options.valid.empty()
                                             ? ForwardPath::kTorchScript
                                             : ForwardPath::kAuto));
  BundleManifest manifest = model->bundle().manifest();
  manifest.format_version = kBundleFormatVersion;
  if (!options.valid.empty()) {
    SLICE_RETURN_IF_ERROR(CalibrateAnew(*model, options, manifest));
  }
  SLICE_RETURN_IF_ERROR(CopyBundle(options.bundle, staging));
  if (model->bundle().golden_links().links.empty()) {
    SLICE_RETURN_IF_ERROR(StageGoldenLinks(staging, manifest, model->graph()));
  }
  SLICE_ASSIGN_OR_RETURN(const bool native, AddNativeNetwork(staging));
  if (!native) {
    std::error_code error;
    fs::remove_all(staging, error);
    return absl::FailedPreconditionError(absl::StrCat(
        "our kernels cannot run the network of bundle ",
        options.bundle.string(), "; serve it with --forward torchscript"));
  }
  SLICE_ASSIGN_OR_RETURN(manifest,
                         DescribeBundle(staging, std::move(manifest)));
  SLICE_RETURN_IF_ERROR(RenameReport(staging, manifest.bundle_id));
  SLICE_RETURN_IF_ERROR(PublishBundle(staging, out, manifest));
  return manifest.bundle_id;
}

StatusRun DefineUpgrade(CommandFlags& flags) {
  const auto options = std::make_shared<UpgradeOptions>();
  flags.Add("--bundle", options->bundle, "a bundle of an older slice")
      .Required()
      .Type("DIR");
  flags
      .Add("--out", options->out,
           "where the new bundle goes (default: in the place of the old one)")
      .Type("DIR");
  flags
      .Add("--valid", options->valid,
           "labelled links: choose the default scorer and calibrate anew, "
           "relation by relation")
      .Type("FILE");
  flags
      .AddRead(
          "--scorer",
          [options](const std::string& name) {
            return ReadScorerChoice(name, options->scorer);
          },
          "with --valid: the scorer that answers by default: context, ends or "
          "structural; auto: the best on valid, or a cheaper one that is as "
          "good")
      .Default("auto")
      .Type("NAME");
  AddThreads(flags, options->threads);
  return [options](const CommandStreams& streams) -> absl::Status {
    SLICE_ASSIGN_OR_RETURN(const std::string id, UpgradeBundle(*options));
    streams.out << "bundle " << id << std::endl;
    return absl::OkStatus();
  };
}

}  // namespace slice
