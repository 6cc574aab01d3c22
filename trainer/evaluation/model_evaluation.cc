#include "trainer/evaluation/model_evaluation.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "trainer/evaluation/explanations.h"
#include "trainer/evaluation/impossible_links.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/evaluation/report_filling.h"

namespace slice {
namespace {

constexpr size_t kFidelitySample = 400;

absl::Status FillExplanations(const ModelEvaluation& evaluation,
                              const ScoredSplit& test, TrainingReport& report) {
  const std::vector<Link> published(
      test.links.links.begin(),
      test.links.links.begin() + test.links.published);
  SLICE_ASSIGN_OR_RETURN(report.fidelity,
                         MeasureFidelity(evaluation, published));
  std::vector<NotableLink> notable;
  for (const Link& link : evaluation.shown) {
    const auto row = std::find_if(
        evaluation.test.begin(), evaluation.test.end(),
        [&](const LabelledLink& other) { return other.link == link; });
    notable.push_back({link, row == evaluation.test.end() ? "asked for"
                             : row->positive              ? "a link"
                                                          : "no link"});
  }
  const std::vector<NotableLink> found = FindNotableLinks(test);
  notable.insert(notable.end(), found.begin(), found.end());
  for (const NotableLink& link : notable) {
    SLICE_ASSIGN_OR_RETURN(LinkExample example,
                           ShowExample(evaluation.model, evaluation.reading,
                                       link.link, link.remark));
    if (!example.layers.empty()) report.examples.push_back(std::move(example));
  }
  return absl::OkStatus();
}

}  // namespace

std::string ReportTitle(const std::string& method,
                        const std::filesystem::path& data, bool leaky) {
  std::error_code error;  // then the path itself names the file
  const std::filesystem::path folder =
      std::filesystem::absolute(data, error).parent_path().filename();
  return absl::StrCat(leaky ? "LEAKY: " : "", method, " on ",
                      (folder / data.filename()).string());
}

std::string NameWithLeak(const std::string& name, bool leaky) {
  return absl::StrCat(name, leaky ? " (LEAKY)" : "");
}

std::vector<LabelledLink> SampleRows(std::span<const LabelledLink> rows,
                                     size_t count) {
  std::vector<LabelledLink> sample(rows.begin(), rows.end());
  if (rows.size() <= count) return sample;
  std::vector<size_t> drawn;
  for (const bool positive : {true, false}) {
    std::vector<std::pair<uint64_t, size_t>> order;  // by hash
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].positive == positive) {
        order.emplace_back(SampleHash(rows[i].link), i);
      }
    }
    std::sort(order.begin(), order.end());
    // Rounded up, so that no label that occurs is lost.
    order.resize((order.size() * count + rows.size() - 1) / rows.size());
    for (const auto& [hash, i] : order) drawn.push_back(i);
  }
  std::sort(drawn.begin(), drawn.end());
  sample.clear();
  for (const size_t i : drawn) sample.push_back(rows[i]);
  return sample;
}

KnownLinks ModelEvaluation::Known() const {
  const std::span<const LabelledLink> files[] = {valid, test};
  return KnownLinks(files);
}

KnownLinks ModelEvaluation::KnownToTuning() const {
  return KnownLinks({&valid, 1});
}

ScoreSplitOptions ModelEvaluation::SplitOptions(const char* title) const {
  ScoreSplitOptions options;
  options.answering = reading.scorer;
  options.baselines = baselines;
  // A model without embeddings has a table of zeros.
  if (std::any_of(embeddings.begin(), embeddings.end(),
                  [](float value) { return value != 0; })) {
    options.embeddings = embeddings;
    options.dim = dim;
  }
  options.model_name = model_name;
  options.threads = threads;
  options.title = title;
  return options;
}

absl::StatusOr<FidelityResult> MeasureFidelity(
    const ModelEvaluation& evaluation, std::span<const Link> published) {
  return MeasureFidelity(evaluation.model, evaluation.reading, published,
                         {kFidelitySample, kEvaluationSeed});
}

absl::StatusOr<ScoredSplit> ScoreValid(const ModelEvaluation& evaluation,
                                       std::vector<NegativeSet> sets) {
  ScoreSplitOptions options = evaluation.SplitOptions("valid links");
  options.sets = std::move(sets);
  return ScoreSplit(evaluation.model,
                    SampleRows(evaluation.valid, evaluation.limits.rows),
                    evaluation.KnownToTuning(), options);
}

absl::StatusOr<ScoredSplit> EvaluateTest(const ModelEvaluation& evaluation,
                                         const ScoredSplit* valid,
                                         TrainingReport& report) {
  SLICE_ASSIGN_OR_RETURN(
      ScoredSplit test,
      ScoreSplit(evaluation.model,
                 SampleRows(evaluation.test, evaluation.limits.rows),
                 evaluation.Known(), evaluation.SplitOptions("test links")));
  ReadAnswers(evaluation.reading, test);
  SetThresholds(valid, test);
  FillTestReport(test, evaluation.reading, *evaluation.model.snapshot, report);
  SLICE_ASSIGN_OR_RETURN(
      report.impossible,
      MeasureImpossibleLinks(evaluation.model, evaluation.reading,
                             evaluation.Known(), evaluation.threads));
  if (evaluation.explain) {
    SLICE_RETURN_IF_ERROR(FillExplanations(evaluation, test, report));
  }
  return test;
}

}  // namespace slice
