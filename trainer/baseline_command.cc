#include "trainer/baseline_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/npy_file.h"
#include "common/parallel.h"
#include "common/peak_memory.h"
#include "common/status_macros.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/method_registry.h"
#include "trainer/model_evaluation.h"
#include "trainer/report_filling.h"

namespace slice {
namespace {

namespace fs = std::filesystem;

// Everything read from the files.
struct BaselineData {
  ImportedGraph imported;
  std::shared_ptr<const GraphSnapshot> snapshot;

  std::span<const LabelledLink> valid() const { return imported.held_out[0]; }
  std::span<const LabelledLink> test() const { return imported.held_out[1]; }
};

absl::StatusOr<BaselineData> ReadFiles(const BaselineOptions& options) {
  EdgeListImportOptions import = options.files;
  import.held_out = {options.valid, options.test};
  BaselineData data;
  SLICE_ASSIGN_OR_RETURN(data.imported, ImportEdgeList(import));
  SLICE_ASSIGN_OR_RETURN(data.snapshot,
                         GraphSnapshot::Build(data.imported.data));
  return data;
}

TrainingReport StartReport(const BaselineOptions& options,
                           const BaselineData& data, const std::string& title) {
  TrainingReport report;
  report.title = absl::StrCat(title, " on ", DataName(options.files.train));
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report.seed = options.seed;
  report.facts = {{"nodes", absl::StrCat(data.snapshot->node_count())},
                  {"train links", absl::StrCat(data.snapshot->link_count())},
                  {"relations", absl::StrCat(data.snapshot->relation_count())}};
  return report;
}

absl::Status ReportUntrained(const BaselineData& data, int threads,
                             TrainingReport& report) {
  const std::span<const LabelledLink> files[] = {data.valid(), data.test()};
  const KnownLinks known(files);
  ScoreSplitOptions split;
  split.threads = threads;
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit valid,
      ScoreBaselines(*data.snapshot, data.valid(), known, split));
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit test,
      ScoreBaselines(*data.snapshot, data.test(), known, split));
  FillResultTables(test, FitThresholds(test, {}, &valid), report);
  return absl::OkStatus();
}

absl::Status WriteEmbeddings(const NodeEmbeddings& embeddings,
                             const GraphSnapshot& snapshot,
                             const fs::path& directory) {
  if (embeddings.empty()) return absl::OkStatus();
  std::string keys;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    absl::StrAppend(&keys, std::string(snapshot.Key(node)), "\n");
  }
  SLICE_RETURN_IF_ERROR(
      WriteFileAtomically(directory / "embeddings.keys", keys));
  return WriteNpyMatrix(directory / "embeddings.npy", embeddings.values,
                        embeddings.dim);
}

absl::Status Train(const MethodInfo& info, const ParameterValues& parameters,
                   const BaselineOptions& options, const BaselineData& data,
                   int threads, TrainingReport& report) {
  MethodInput input;
  input.snapshot = data.snapshot.get();
  input.valid = data.valid();
  input.negatives = EstimateNegativeMix(*data.snapshot, data.valid(), 0);
  input.seed = options.seed;
  input.threads = threads;
  input.budget = options.budget;
  ResetPeakMemory();
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(const auto method,
                         TrainByMethod(info, input, parameters));
  report.steps.push_back(
      {"train", absl::ToDoubleSeconds(absl::Now() - start), PeakMemoryMib()});
  const absl::Time trained = absl::Now();
  SLICE_RETURN_IF_ERROR(
      EvaluateMethod({&info, method.get(), data.snapshot.get(), data.valid(),
                      data.test(), options.rank_positives, threads},
                     report));
  report.steps.push_back({"evaluate",
                          absl::ToDoubleSeconds(absl::Now() - trained),
                          PeakMemoryMib()});
  if (options.out.empty()) return absl::OkStatus();
  return WriteEmbeddings(method->embeddings(), *data.snapshot, options.out);
}

absl::Status WriteReport(const BaselineOptions& options,
                         const TrainingReport& report) {
  if (!options.html.empty()) {
    SLICE_RETURN_IF_ERROR(
        WriteFileAtomically(options.html, RenderReportHtml(report)));
  }
  if (!options.out.empty()) {
    SLICE_RETURN_IF_ERROR(WriteFileAtomically(
        options.out / "report.json", ReportToJson(report).dump(2) + "\n"));
    SLICE_RETURN_IF_ERROR(WriteFileAtomically(options.out / "report.html",
                                              RenderReportHtml(report)));
    SLICE_RETURN_IF_ERROR(
        WriteFileAtomically(options.out / "report.txt", ReportText(report)));
  }
  const std::string text =
      options.json ? ReportToJson(report).dump(2) + "\n" : ReportText(report);
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace

absl::Status RunBaseline(const BaselineOptions& options) {
  const int threads = options.threads > 0 ? options.threads : HardwareThreads();
  const MethodInfo* info = nullptr;
  ParameterValues parameters;
  // What is wrong with the words is said before files are read.
  if (!options.method.empty()) {
    SLICE_ASSIGN_OR_RETURN(info, FindMethod(options.method));
    SLICE_ASSIGN_OR_RETURN(
        parameters, ParameterValues::Parse(info->parameters, options.settings));
  }
  SLICE_ASSIGN_OR_RETURN(const BaselineData data, ReadFiles(options));
  if (!options.out.empty()) {
    std::error_code error;
    fs::create_directories(options.out, error);
    if (error) return FileError("create", options.out, error.value());
  }
  TrainingReport report =
      StartReport(options, data, info == nullptr ? "baselines" : info->title);
  if (info == nullptr) {
    SLICE_RETURN_IF_ERROR(ReportUntrained(data, threads, report));
  } else {
    report.facts.push_back({"method", info->name});
    report.facts.push_back({"parameters", parameters.ToString()});
    SLICE_RETURN_IF_ERROR(
        Train(*info, parameters, options, data, threads, report));
  }
  return WriteReport(options, report);
}

}  // namespace slice
