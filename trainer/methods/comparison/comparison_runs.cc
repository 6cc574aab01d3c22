// The figures of a run come from one of two sources: from its report
// (FiguresOf) or from a comparison.json (ReadComparedCells). RunToJson() writes
// the format that ReadComparedCells() reads: each figure under its name in
// kFigures, null when it was not measured; labels as a list of [name, value].
#include "trainer/methods/comparison/comparison_runs.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/method_run.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr NamedFigure kFigures[] = {
    {"auroc", &RunFigures::auroc},
    {"average_precision", &RunFigures::average_precision},
    {"f1", &RunFigures::f1},
    {"typed_auroc", &RunFigures::typed_auroc},
    {"degree_matched_auroc", &RunFigures::degree_matched_auroc},
    {"mrr", &RunFigures::mrr},
    {"mrr_targets", &RunFigures::mrr_targets},
    {"mrr_sources", &RunFigures::mrr_sources},
    {"hits_1", &RunFigures::hits_1},
    {"hits_3", &RunFigures::hits_3},
    {"hits_10", &RunFigures::hits_10},
    {"mrr_error", &RunFigures::mrr_error},
    {"hits_1_error", &RunFigures::hits_1_error},
    {"hits_3_error", &RunFigures::hits_3_error},
    {"hits_10_error", &RunFigures::hits_10_error},
    {"seconds", &RunFigures::seconds},
    {"train_seconds", &RunFigures::train_seconds},
    {"peak_mib", &RunFigures::peak_mib},
};

BinaryMetrics MetricsOn(const TrainingReport& report, std::string_view set) {
  for (const ResultTable& table : report.results) {
    if (table.key == set && !table.rows.empty()) return table.rows[0].metrics;
  }
  BinaryMetrics none;
  none.auroc = none.average_precision = none.f1 = kNotMeasured;
  return none;
}

// The figures of the first method of the ranking among all nodes: over both
// directions, or with `part`, ".target" or ".source", over one. Other tables
// rank only among nodes of the types that a relation has at the wanted end.
RankingFigures RankingOf(const TrainingReport& report,
                         std::string_view part = "") {
  for (const RankingTable& table : report.rankings) {
    if (table.title != kRankingAmongAll || table.rows.empty()) continue;
    const std::string key = table.rows[0].key + std::string(part);
    for (const RankingRow& row : table.rows) {
      if (row.key == key) return row.figures;
    }
  }
  return {};
}

RunFigures RunFromJson(const Json& json) {
  RunFigures run;
  run.seed = json.at("seed").get<uint64_t>();
  run.parameters = json.at("parameters").get<std::string>();
  run.data = json.at("data").get<std::string>();
  for (const Json& label : json.at("labels")) {
    run.labels.push_back({label.at(0), label.at(1)});
  }
  run.stopped = json.value("stopped", "");
  for (const auto& [name, value] : kFigures) {
    // Files that older versions wrote lack the standard errors.
    const auto read = json.find(name);
    if (read != json.end() && !read->is_null())
      run.*value = read->get<double>();
  }
  return run;
}

ComparedCell CellFromJson(const std::string& set, const std::string& method,
                          const Json& json) {
  ComparedCell cell{set, method, {}, std::nullopt};
  for (const Json& run : json.at("runs")) {
    cell.runs.push_back(RunFromJson(run));
  }
  if (const auto lead = json.find("lead_of_slice"); lead != json.end()) {
    cell.lead_of_slice = ScoreDifference{
        lead->at("auroc"), lead->at("low"), lead->at("high"), lead->at("runs"),
        lead->value("our_runs", size_t{1})};  // older files lack it
  }
  return cell;
}

}  // namespace

std::span<const NamedFigure> AllFigures() { return kFigures; }

std::string ValueOf(const std::vector<NamedValue>& values,
                    const std::string& name) {
  for (const NamedValue& value : values) {
    if (value.name == name) return value.value;
  }
  return "";
}

RunFigures FiguresOf(const TrainingReport& report) {
  RunFigures run;
  run.seed = report.seed;
  run.parameters = ValueOf(report.facts, "parameters");
  run.data = ValueOf(report.facts, "data");
  run.labels = report.labels;
  run.stopped = ValueOf(report.facts, "training");
  const BinaryMetrics published = MetricsOn(report, "published");
  run.auroc = published.auroc;
  run.average_precision = published.average_precision;
  run.f1 = published.f1;
  run.typed_auroc = MetricsOn(report, "typed").auroc;
  run.degree_matched_auroc = MetricsOn(report, "degree_matched").auroc;
  const RankingFigures ranking = RankingOf(report);
  run.mrr = ranking.mrr;
  run.mrr_targets = RankingOf(report, ".target").mrr;
  run.mrr_sources = RankingOf(report, ".source").mrr;
  run.hits_1 = ranking.hits_1;
  run.hits_3 = ranking.hits_3;
  run.hits_10 = ranking.hits_10;
  run.mrr_error = ranking.mrr_error;
  run.hits_1_error = ranking.hits_1_error;
  run.hits_3_error = ranking.hits_3_error;
  run.hits_10_error = ranking.hits_10_error;
  run.seconds = SecondsOf(report);
  run.train_seconds = TrainSecondsOf(report);
  run.peak_mib = PeakMibOf(report);
  return run;
}

Json RunToJson(const RunFigures& run) {
  Json labels = Json::array();
  for (const auto& [name, value] : run.labels) {
    labels.push_back(Json::array({name, value}));
  }
  Json json = {{"seed", run.seed},
               {"parameters", run.parameters},
               {"data", run.data},
               {"labels", std::move(labels)},
               {"stopped", run.stopped}};
  // nlohmann::json writes NaN as null.
  for (const auto& [name, value] : kFigures) json[name] = run.*value;
  return json;
}

Json DifferenceToJson(const ScoreDifference& difference) {
  return {{"auroc", difference.mean},
          {"low", difference.low},
          {"high", difference.high},
          {"runs", difference.runs},
          {"our_runs", difference.our_runs}};
}

absl::StatusOr<std::vector<ComparedCell>> ReadComparedCells(
    const std::filesystem::path& path) {
  SLICE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::vector<ComparedCell> cells;
  try {
    const Json json = Json::parse(text);
    const auto sets = json.at("sets").get<std::map<std::string, Json>>();
    for (const auto& [set, methods] : sets) {
      for (const auto& [method, cell] :
           methods.get<std::map<std::string, Json>>()) {
        if (!cell.contains("runs")) continue;  // it failed
        cells.push_back(CellFromJson(set, method, cell));
      }
    }
  } catch (const Json::exception&) {
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(),
                     " is not a comparison.json; name one that slice-trainer "
                     "compare wrote"));
  }
  return cells;
}

}  // namespace slice
